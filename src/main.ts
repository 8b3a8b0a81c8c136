#!/usr/bin/env -S node --disable-sigusr1
/**
 * The `plumbline` command, which `src/plumbline` starts on a Node that can read this. Compiled code is kept beside the packages,
 * so that the next start need not compile again; the folder is as trusted as the code itself, and where it cannot be written
 * nothing is kept.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/** As for wrong settings: a person has to do something first. */
const NOT_INSTALLED = 78
const LINGER_MS = 3000
const MISSING = /Cannot find package '([^']+)'/

// Node opens its debugger at this signal, which runs what it is told. Where it was started without the flag that ends that,
// a listener does.
process.on('SIGUSR1', () => undefined)

const cache = fileURLToPath(new URL('../node_modules/.cache/plumbline', import.meta.url))
enableCompileCache(cache)
// The launcher's, and for this process alone: an editor or a pager may be written for Node, too.
if (process.env['NODE_COMPILE_CACHE'] === cache) delete process.env['NODE_COMPILE_CACHE']
process.exitCode = await run()
// What is left now waits for a name that does not resolve, and cannot be ended in another way.
setTimeout(() => process.exit(), LINGER_MS).unref()

async function run(): Promise<number> {
  try {
    const { main } = await import('./command.ts')
    return await main(process.argv.slice(2), process.env)
  } catch (error) {
    const [, name] = MISSING.exec(String(error)) ?? []
    if (name === undefined) throw error
    const folder = fileURLToPath(new URL('..', import.meta.url))
    process.stderr.write(
      `plumbline: the package ${name} is not installed: run "npm ci" in ${folder}, or "npm run quickstart", which does so.\n`,
    )
    return NOT_INSTALLED
  }
}
