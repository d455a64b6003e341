"""Teach how GPT-2 shares and initializes its parameters."""

__version__ = "0.1.0"
