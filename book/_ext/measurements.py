"""What the ledger measures when one line of Python does not say it; each measurement is made once.

Every function seeds itself and returns plain numbers, so that a measurement is worth the same at every run
and no model outlives it.
"""

from __future__ import annotations
