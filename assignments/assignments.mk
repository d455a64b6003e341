# The course: what students get, and what they hand in. book/teach.md says how to use it.
#
#   PS="ps1-tying ..."  problem sets to release or grade, not all
#   INTO=folder         where `make release` puts what students may get, not _build/release
#   SUBMISSIONS=folder  what students handed in, for `make grade`
#   COURSE=folder       where `make grade` keeps gradebook, grades and feedback, not grading/

override INTO := $(or $(value INTO),_build/release)
override COURSE := $(or $(value COURSE),grading)
override SUBMISSIONS := $(value SUBMISSIONS)
PS ?=
# by the environment: whatever sign a path holds, the shell does not read it as its own
export INTO COURSE SUBMISSIONS PS

.PHONY: release
release: $(COURSE_READY) ## Fill _build/release with what students may get: no solutions
	@PYTHONPATH=book/_ext $(PY) -m assignments.course.release_without_solutions --into "$$INTO" --ps "$$PS"

.PHONY: branch
branch: release ## Commit what students may get to the branch BOOK_BRANCH, for you to push
	@PYTHONPATH=book/_ext $(PY) -m assignments.course.published_branch "$$INTO"

.PHONY: grade
grade: $(COURSE_READY) ## Grade SUBMISSIONS=folder; grades and feedback to grading/
	@test -n "$$SUBMISSIONS" || { echo 'Say what to grade: make grade SUBMISSIONS=folder' >&2; exit 2; }
	@exec $(PY) -m assignments.course.grade --course="$$COURSE" --ps="$$PS" $(ARGS) -- "$$SUBMISSIONS"

.PHONY: formgrader
formgrader: $(COURSE_READY) ## Grade written answers in the browser: nbgrader's formgrader on grading/
	@case "$$COURSE" in "~/"*) COURSE="$$HOME/$${COURSE#"~/"}";; esac; \
	test -e "$$COURSE/gradebook.db" || { echo "Nothing is graded in $$COURSE yet: make grade first" >&2; exit 2; }; \
	cd "$$COURSE" && GPT2_TEACH_COURSE="$$PWD" PYTHONPATH="$(CURDIR)" "$(abspath $(subst ",,$(PY)))" -m jupyterlab \
		--LabApp.default_url=/formgrader $(ARGS)

.venv/course.stamp: assignments/requirements.txt $(READY)
	@$(LOCKED) sh -c "$$INSTALL" install $@ requirements.txt assignments/requirements.txt
