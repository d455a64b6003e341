"""The figures of the book: data in, `Figure` out, one module a chapter, one style for all."""
