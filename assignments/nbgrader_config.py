"""nbgrader's configuration for the course: `make release`, `make grade` and formgrader use it.

GPT2_TEACH_COURSE names the folder of the course, with the gradebook and the submissions; a configuration
that loads this one can name another. The sources of the problem sets are always beside this file.
"""

import os
import sys
from pathlib import Path

assignments = Path(__file__).resolve().parent

sys.path.append(str(assignments.parent))  # for the plugins below
c = get_config()  # noqa: F821 - nbgrader defines it

c.CourseDirectory.course_id = "shared-and-scaled"
c.CourseDirectory.root = str(
    Path(os.environ.get("GPT2_TEACH_COURSE", assignments.parent / "grading")).resolve()
)
c.CourseDirectory.source_directory = str(assignments / "source")

# A JupyterHub sets this variable to the folder of its exchange, which deploy/README.md describes.
c.Exchange.root = os.environ.get("NBGRADER_EXCHANGE", "/srv/nbgrader/exchange")

# Seconds that a cell may run. The longest cell of the solutions takes one.
c.Execute.timeout = 30
# Seconds until an interrupted cell must report. On a busy machine, less would cost all points.
c.Execute.iopub_timeout = 30
# No cell can have this tag, so none is skipped: a test cell without output would get all its points.
c.Execute.skip_cells_with_tag = "not a tag that a cell can have"

c.ExportApp.plugin_class = "assignments.course.grades_csv.GradesAndFlags"
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "assignments.course.hide_tests_in_feedback.HideTests",  # no hidden tests on feedback pages
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
c.GenerateSolution.preprocessors = [
    "nbgrader.preprocessors.ClearHiddenTests",  # a sheet to hand out
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.LockCells",
]
