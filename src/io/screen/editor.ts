/** A text in the person's own editor. What they write stays in a file of theirs alone until it is taken. */
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'
import { personEnv } from './person-env.ts'

export interface EditedText {
  readonly text: string
  readonly path: string
  done(): Promise<void>
}

/** @param name of the file, such as `app.example.com.yml`. Throws a Failure that says what is in the way, and where the text is. */
export async function editText(text: string, name: string, env: NodeJS.ProcessEnv): Promise<EditedText> {
  const [program, ...words] = editorWords(env)
  if (program === undefined)
    throw new Failure(
      'bad_configuration',
      'No editor is set. Name yours: EDITOR=nano plumbline edit …, or change single fields with "plumbline set".',
    )
  const { path, done } = await privateFile(name, text)
  const trouble = await ended(program, [...words, path], env)
  const left = await readFile(path, 'utf8').catch(() => null)
  if (trouble === null && left !== null) return { text: left, path, done }
  const is_kept = left !== null && left !== text
  if (!is_kept) await done()
  throw new Failure(
    'component_unavailable',
    `The editor "${program}" ${trouble ?? 'left no file'}. Nothing was changed.${is_kept ? ` What was written is kept in ${path}` : ''}`,
  )
}

/** In a folder of its own, which nobody else may enter. */
async function privateFile(name: string, text: string): Promise<Omit<EditedText, 'text'>> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-edit-'))
  await chmod(folder, 0o700)
  const path = join(folder, name)
  await writeFile(path, text, { mode: 0o600 })
  return { path, done: () => rm(folder, { recursive: true, force: true }) }
}

/** `$VISUAL`, else `$EDITOR`: a program and its words, where quotes hold a word together. No shell reads it. */
function editorWords(env: NodeJS.ProcessEnv): readonly string[] {
  const line = [env['VISUAL'], env['EDITOR']].find((one) => (one ?? '').trim() !== '') ?? ''
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}

/** Null where it ended well; else why not, as the middle of a sentence. */
function ended(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: 'inherit', env: personEnv(env) })
    child.once('error', (error) => resolve(startFault(error)))
    child.once('close', (code, signal) => {
      if (signal !== null) resolve(`was ended by ${signal}`)
      else resolve(code === 0 ? null : `ended with exit code ${code}`)
    })
  })
}

function startFault(error: Error): string {
  const code = systemErrorCode(error)
  if (code === 'ENOENT') return 'cannot be found'
  return code === 'EACCES' ? 'may not be run' : `cannot be started (${code})`
}
