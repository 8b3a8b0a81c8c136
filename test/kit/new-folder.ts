/** Temporary folders of tests: each is there until the file of tests that made it is over (seeded.ts). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

export function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `plumbline-${name}-`))
  made.push(folder)
  return folder
}

export function removeFolders(): void {
  // A program that a test ended may still write while it goes.
  const how = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }
  for (const folder of made.splice(0)) rmSync(folder, how)
}
