#!/usr/bin/env node
/** The `plumbline` command. */
import { runCommand } from './cli/run.ts'
import { surroundingsOf } from './surroundings.ts'

process.exitCode = await runCommand(process.argv.slice(2), surroundingsOf(process.env), {
  out: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
})
