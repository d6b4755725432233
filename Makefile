# Every target is one thin call; what it does in detail is in scripts/.

SHELL := bash
TESTFLAGS ?=
FUZZTIME ?= 5s
DIR ?= .docket

.DEFAULT_GOAL := help
.PHONY: help build run test check lint fuzz bench powercut cover

help: ## show this list
	@echo 'usage: make <target>'
	@echo
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo 'TESTFLAGS="-run Name -v" goes to go test, FUZZTIME=30s to fuzz, DIR=path to run.'

build: ## compile bin/engine
	go build -trimpath -ldflags "-s -w" -o bin/engine ./cmd/engine

run: build ## play the demo, then serve the sample sessions from .docket
	scripts/run.sh $(DIR)

test: ## run all tests
	scripts/need.sh go
	go test -shuffle=on $(TESTFLAGS) ./...

check: lint ## everything a change must pass: lint, tests with -race, short fuzz
	scripts/need.sh go gcc
	go test -race -shuffle=on $(TESTFLAGS) ./...
	FUZZTIME=$(FUZZTIME) scripts/fuzz.sh

lint: ## format, vet, modernizers, staticcheck, complete event switches
	scripts/need.sh go
	scripts/lint.sh

fuzz: ## fuzz every parser for FUZZTIME (5s) each
	scripts/need.sh go
	FUZZTIME=$(FUZZTIME) scripts/fuzz.sh

bench: ## measure appends, reads and folds against raw JetStream
	go run ./internal/bench

powercut: ## cut the power of a store on a loop device and look what is left (root)
	scripts/need.sh go mkfs.ext4 losetup
	scripts/powercut.sh

cover: ## test coverage by function, total last
	mkdir -p bin
	go test -coverpkg=./... -coverprofile=bin/cover.out ./...
	go tool cover -func=bin/cover.out
