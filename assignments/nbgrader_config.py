"""nbgrader's configuration of the course, for `make release`, `make grade` and formgrader.

The folder of the course, with the gradebook and the submissions, is the one that GPT2_TEACH_COURSE names, or
that a configuration says which loads this one; the sources of the problem sets stay here.
"""

import os
import sys
from pathlib import Path

here = Path(__file__).resolve().parent

sys.path.append(str(here.parent))  # for the plugins below
c = get_config()  # noqa: F821 - nbgrader defines it

c.CourseDirectory.course_id = "shared-and-scaled"
c.CourseDirectory.root = str(Path(os.environ.get("GPT2_TEACH_COURSE", here.parent / "grading")).resolve())
c.CourseDirectory.source_directory = str(here / "source")

# A JupyterHub says by this variable where its exchange is; deploy/README.md tells how that folder must be.
c.Exchange.root = os.environ.get("NBGRADER_EXCHANGE", "/srv/nbgrader/exchange")

# A cell may run this long. The longest cell of the solutions takes a second.
c.Execute.timeout = 30
# What was interrupted may take this long to say so; less, on a busy machine, would cost all points.
c.Execute.iopub_timeout = 30
# A notebook cannot ask that a test cell be left out: without output it would have all its points.
c.Execute.skip_cells_with_tag = "not a tag that a cell can have"

c.ExportApp.plugin_class = "assignments.course.grades_csv.GradesAndFlags"
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "assignments.course.hide_tests_in_feedback.HideChecks",  # no hidden tests on feedback pages
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
