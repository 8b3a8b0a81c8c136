/** Grammars that every owner may need: one word of several, a path, a command, a secret. */
import { resolve } from 'node:path'
import { didYouMean } from '../../kernel/text/nearest.ts'
import { Secret } from '../../kernel/secret.ts'
import { readSmallFile } from '../read-file.ts'
import { textual, wrong } from './refine.ts'

export const oneOf = <const T extends string>(words: readonly T[]) =>
  textual<T>((text) =>
    words.includes(text as T)
      ? (text as T)
      : wrong(`must be one of ${words.join(', ')}.${didYouMean(text, words)}`),
  )

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** A path, made absolute from the working directory. */
export const path = textual((text) =>
  CONTROL.test(text) ? wrong('must not hold control characters') : resolve(text),
)

/** The path of a file that the proxy's file provider reads by its suffix. */
export const yamlPath = textual((text) =>
  CONTROL.test(text) || !/\.ya?ml$/i.test(text)
    ? wrong('must be the path of a .yml or .yaml file; the proxy reads no other')
    : resolve(text),
)

/** Words that are given to a program as they are: there is no shell. */
export const commandLine = textual((text) => {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return /["'\\$`|&;<>]/.test(text)
    ? wrong('must be a program and its arguments, parted by blanks; there is no shell and no quoting')
    : words
})

/** A secret that travels in an HTTP header, so only visible ASCII without blanks survives the way (RFC 9110 §5.5). */
export const headerSecret = textual((text) =>
  /^[\u0021-\u007e]{1,1024}$/.test(text)
    ? new Secret(text)
    : wrong('must be 1 to 1024 visible ASCII characters without blanks'),
)

/** The path of a file that holds one such secret: for a list that may lie open. */
export const secretFile = path.pipe(
  textual<Secret>((file) => {
    try {
      const text = readSmallFile(file)
      if (text === null) return wrong(`there is no file ${file}`)
      const secret = headerSecret.safeParse(text.trim())
      return secret.success ? secret.data : wrong(`${file} must hold one secret and nothing else`)
    } catch (cause) {
      return wrong(`${file} cannot be read (${(cause as Error).message})`)
    }
  }),
)

/** Visible ASCII without blanks that is no secret, such as the id of a key. */
export const headerText = textual((text) =>
  /^[\u0021-\u007e]{1,1024}$/.test(text)
    ? text
    : wrong('must be 1 to 1024 visible ASCII characters without blanks'),
)

const MIN_GOOD_SECRET = 24

export const warnIfShort = (value: Secret | null): string | null =>
  value !== null && value.reveal().length < MIN_GOOD_SECRET
    ? `is shorter than ${MIN_GOOD_SECRET} characters and may be guessed; make a new one with "openssl rand -hex 32"`
    : null
