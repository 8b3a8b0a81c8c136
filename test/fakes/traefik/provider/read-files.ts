/** What the file provider reads: one file, or every file of a folder and of the folders in it, in the order of their names. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type Configuration, decodeFile, decodeToml } from '../decode/decode.ts'
import type { Environment } from '../decode/template.ts'
import { merged } from './merge.ts'
import { withPemFiles } from './pem-files.ts'

export interface ReadOptions {
  readonly environment: Environment
  readonly log: (line: string) => void
  /** A test's own reason not to take a file. */
  readonly refuses: (text: string) => boolean
}

/** @throws for the first file that it does not take: the whole provider fails with it. */
export function readFiles(path: string, options: ReadOptions): Configuration {
  if (!statSync(path).isDirectory()) return readOne(path, options)
  return merged(
    filesOf(path).map((file) => readOne(file, options)),
    options.log,
  )
}

const EXTENSIONS = new Set(['.yml', '.yaml', '.toml'])

function filesOf(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesOf(path)
      return EXTENSIONS.has(extname(entry.name).toLowerCase()) ? [path] : []
    })
}

function readOne(path: string, { environment, log, refuses }: ReadOptions): Configuration {
  const extension = extname(path).toLowerCase()
  if (!EXTENSIONS.has(extension)) throw new Error(`unsupported file extension: ${path}`)
  const bytes = readFileSync(path)
  try {
    if (refuses(bytes.toString('utf8'))) throw new Error('refused by the test')
    const decode = extension === '.toml' ? decodeToml : decodeFile
    return withPemFiles(decode(bytes, environment), log)
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error })
  }
}
