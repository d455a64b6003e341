# The course: release problem sets, grade submissions. See book/teach.md.
#
#   PS="ps1-tying ..."  problem sets to release or grade (default: all)
#   INTO=folder         where `make release` puts the students' files (default: _build/release)
#   SUBMISSIONS=folder  students' submissions, for `make grade`
#   COURSE=folder       where `make grade` keeps the gradebook, grades and feedback (default: grading)
#   ROSTER=file.csv     the students, for `make grade`: id, first_name, last_name, email, and platforms' numbers
#   LATE_DAYS=n         days after the due date that cost nothing (default: 0)
#   LATE_LOSS=percent   points lost for each further day (default: 0, lateness is only shown)

.PHONY: release branch grade report solutions formgrader

override INTO := $(or $(value INTO),_build/release)
override COURSE := $(or $(value COURSE),grading)
override SUBMISSIONS := $(value SUBMISSIONS)
override ROSTER := $(value ROSTER)
PS ?=
LATE_DAYS ?=
LATE_LOSS ?=
# Passed in the environment, so that the shell does not interpret special characters in a path.
export INTO COURSE SUBMISSIONS PS ROSTER LATE_DAYS LATE_LOSS

release: $(COURSE_READY) ## Write the files for students, without solutions, to _build/release
	@PYTHONPATH=book/_ext $(PY) -m assignments.course.release_without_solutions --into "$$INTO" --ps "$$PS"

branch: release ## Commit the release to the branch BOOK_BRANCH, for you to push
	@PYTHONPATH=book/_ext $(PY) -m assignments.course.published_branch "$$INTO"

grade: $(COURSE_READY) ## Grade SUBMISSIONS=folder; write grades and feedback to grading/
	@test -n "$$SUBMISSIONS" || { echo 'SUBMISSIONS is not set: make grade SUBMISSIONS=folder' >&2; exit 2; }
	@exec $(PY) -m assignments.course.grade --course="$$COURSE" --ps="$$PS" --roster="$$ROSTER" \
		--late-days="$$LATE_DAYS" --late-loss="$$LATE_LOSS" $(ARGS) -- "$$SUBMISSIONS"

report: $(COURSE_READY) ## Show how the class did, by task; write grading/report.md
	@$(PY) -m assignments.course.report "$$COURSE"

solutions: $(COURSE_READY) ## Write the problem sets with their solutions to grading/solution
	@PS="$(or $(PS),$(notdir $(wildcard assignments/source/*)))"; $(IN_COURSE) for name in $$PS; do \
		$(NBGRADER) nbgrader generate_solution $$name --force || exit 1; done

formgrader: $(COURSE_READY) ## Open nbgrader's formgrader on grading/, to grade written answers
	@$(IN_COURSE) $(NBGRADER) jupyterlab --LabApp.default_url=/formgrader $(ARGS)

define IN_COURSE
case "$$COURSE" in "~/"*) COURSE="$$HOME/$${COURSE#"~/"}";; esac; \
test -e "$$COURSE/gradebook.db" || { echo "COURSE: $$COURSE has no gradebook yet; run make grade first" >&2; exit 2; }; \
cd "$$COURSE" &&
endef
NBGRADER = GPT2_TEACH_COURSE="$$PWD" PYTHONPATH="$(CURDIR)" "$(abspath $(subst ",,$(PY)))" -m

.venv/course.stamp: assignments/requirements.txt $(READY)
	@$(LOCKED) sh -c "$$INSTALL" install $@ requirements.txt assignments/requirements.txt
