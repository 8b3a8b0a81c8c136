/** Puts the units where systemd reads them. What somebody else wrote there, or changed by hand, is never written over. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../kernel/digest.ts'
import { Failure, systemErrorCode } from '../kernel/failure.ts'
import type { UnitFile } from './unit.ts'

const MARK = /^# Written by "plumbline install-unit" \(sha256 ([0-9a-f]{64})\)\.[^\n]*\n/

/** The text with the line by which we know it again. */
export const signed = (text: string): string =>
  `# Written by "plumbline install-unit" (sha256 ${sha256([text])}). Yours: "systemctl edit", in a file beside it.\n${text}`

/** The names of what was written; nothing where all stood there already. Throws `conflict` or `storage_unwritable`. */
export function install(units: readonly UnitFile[], folder: string): readonly string[] {
  const wanted = units.map(({ name, text }) => ({ name, path: join(folder, name), text: signed(text) }))
  const foreign = wanted.flatMap(({ path }) => (isOurs(path) ? [] : [path]))
  if (foreign.length > 0)
    throw new Failure(
      'conflict',
      `${foreign.join(', ')} was not written by this command, or was changed by hand. Move it away first, and keep changes ` +
        'of yours in a drop-in ("systemctl edit").',
    )
  const changed = wanted.filter(({ path, text }) => read(path) !== text)
  for (const { path, text } of changed) write(path, text)
  return changed.map(({ name }) => name)
}

function isOurs(path: string): boolean {
  const text = read(path)
  if (text === null) return true
  const [line, digest] = MARK.exec(text) ?? []
  return line !== undefined && sha256([text.slice(line.length)]) === digest
}

const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null)

function write(path: string, text: string): void {
  try {
    const partial = `${path}.partial`
    writeFileSync(partial, text, { mode: 0o644 })
    renameSync(partial, path)
  } catch (cause) {
    throw new Failure(
      'storage_unwritable',
      `${path} cannot be written (${systemErrorCode(cause) ?? (cause as Error).message}). Run this as root, or write to ` +
        'another folder with --dir.',
      { cause },
    )
  }
}
