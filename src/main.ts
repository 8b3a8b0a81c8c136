#!/usr/bin/env -S node --disable-sigusr1
/**
 * The `plumbline` command. Compiled code is kept beside the packages, so that the next start need not compile again;
 * the folder is as trusted as the code itself, and where it cannot be written nothing is kept.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Node opens its debugger at this signal, which runs what it is told. Where it was started without the flag that ends that,
// a listener does.
process.on('SIGUSR1', () => undefined)

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/plumbline', import.meta.url)))
const { main } = await import('./command.ts')
process.exitCode = await main(process.argv.slice(2), process.env)
