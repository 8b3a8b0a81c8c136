/** A folder of its own for each test, gone afterwards, and the few things that every test of this adapter asks of it. */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import type { Facts, Log } from '../../../src/kernel/log.ts'

const made: string[] = []

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

export function scratch(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'plumbline-files-'))
  made.push(folder)
  return folder
}

export const never = new AbortController().signal
export const bytes = (text: string): Uint8Array => Buffer.from(text)
export const textAt = (path: string): string => readFileSync(path, 'utf8')

/** The folder where temps and evidence of `path` go. */
export const siblingFor = (path: string): string => {
  const directory = dirname(path)
  return join(dirname(directory), `.${directory.slice(dirname(directory).length + 1)}.plumbline`)
}

/** Names below a folder; empty when there is none. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

export const tempsIn = (folder: string): string[] =>
  namesIn(folder).filter((name) => name.startsWith('.plumbline-temp-'))

export interface Line {
  readonly level: string
  readonly message: string
  readonly facts: Facts
}

/** A log that keeps its lines. */
export function keepingLog(): Log & { readonly lines: Line[] } {
  const lines: Line[] = []
  const at =
    (level: string) =>
    (message: string, facts: Facts = {}) => {
      lines.push({ level, message, facts })
    }
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** Waits until `holds`, looking often, at most ten seconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('waited a minute in vain')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** A file of that size that takes no room on the disk. */
export function sparseFile(path: string, size: number): void {
  writeFileSync(path, '')
  truncateSync(path, size)
}

/** Kept evidence beside `path`, oldest first. */
export const evidenceIn = (path: string): string[] =>
  namesIn(siblingFor(path)).filter((name) => name.startsWith('evidence-'))
