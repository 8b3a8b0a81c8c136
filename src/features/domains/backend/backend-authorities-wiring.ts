/** Authorities of the operator's own, by which backends prove themselves: a folder of certificates, read at the start. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { Failure, fieldError } from '../../../kernel/failure.ts'
import { readFailure } from '../../../kernel/read-failure.ts'
import { AUTHORITY_NAME, MAX_PEM, MAX_AUTHORITIES } from '../../../model/domain/backend-tls.ts'
import { certificatesIn } from '../../../model/network/certificate-text.ts'

const SETTING = 'PLUMBLINE_BACKEND_CA_DIR'
const ENDING = /\.(?:pem|crt)$/
const MAX_FILES = 500

/** By name, as PEM. Throws `bad_configuration` for a folder that is none, and for every file that holds something else. */
export function backendAuthorities(folder: string | null): ReadonlyMap<string, string> {
  if (folder === null) return new Map()
  const authorities = new Map<string, string>()
  const faults: string[] = []
  for (const file of filesIn(folder)) {
    const name = file.replace(ENDING, '')
    const read = AUTHORITY_NAME.test(name)
      ? readAuthority(join(folder, file))
      : { fault: 'must be named with lower-case letters, digits and the characters . _ -' }
    if ('fault' in read) faults.push(`${join(folder, file)} ${read.fault}`)
    else if (authorities.has(name)) faults.push(`${join(folder, file)} is the second file called ${name}`)
    else authorities.set(name, read.pem)
  }
  if (faults.length > 0) throw bad(faults)
  return authorities
}

function filesIn(folder: string): readonly string[] {
  try {
    const files = readdirSync(folder)
      .filter((file) => ENDING.test(file))
      .sort()
    if (files.length <= MAX_FILES) return files
    throw bad([`${folder} holds more than ${MAX_FILES} certificates`])
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw bad([`${folder} ${readFailure(cause, 'folder')}`])
  }
}

function readAuthority(path: string): { readonly pem: string } | { readonly fault: string } {
  let text: string | null
  try {
    text = textAt(path)
  } catch (cause) {
    return { fault: readFailure(cause, 'file') }
  }
  const found = text === null ? null : certificatesIn(text)
  if (found === null) return { fault: `must be a file of at most ${MAX_PEM} bytes` }
  if (!found.ok) return { fault: found.msg }
  if (found.value.length > MAX_AUTHORITIES)
    return { fault: `holds more than ${MAX_AUTHORITIES} certificates` }
  return { pem: found.value.map(({ text: pem }) => pem).join('') }
}

/** Null for what is no file, which could hang whoever opens it, and for a large one. */
function textAt(path: string): string | null {
  const status = statSync(path)
  return status.isFile() && status.size <= MAX_PEM ? readFileSync(path, 'utf8') : null
}

/** For the import, which somebody runs who may read the proxy's files. */
export function readAuthorityAt(path: string): string | null {
  try {
    return isAbsolute(path) ? textAt(path) : null
  } catch {
    return null
  }
}

const bad = (faults: readonly string[]): Failure =>
  new Failure('bad_configuration', faults.map((fault) => `${SETTING}: ${fault}.`).join('\n'), {
    errors: faults.map((fault) => fieldError([SETTING], fault, 'config')),
  })
