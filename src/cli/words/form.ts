/** The words of a form: what each stands for, and whether a command line says them. */
import type { Form, Verb } from '../verb.ts'

export interface Word {
  /** As it is said (`add`), or what it stands for (`NAME`). */
  readonly text: string
  readonly is_value: boolean
  readonly may_lack: boolean
  readonly repeats: boolean
}

const WORD = /^(\[?)([A-Za-z][A-Za-z0-9_=.:/-]*)(…?)(\]?)$/

export const wordsOf = ({ words }: Pick<Form, 'words'>): readonly Word[] =>
  words === '' ? [] : words.split(' ').map(parsedWord)

function parsedWord(word: string): Word {
  const [, open, text = word, dots, close] = WORD.exec(word) ?? []
  return {
    text,
    is_value: /[A-Z]/.test(text),
    may_lack: open === '[' && close === ']',
    repeats: dots === '…',
  }
}

export interface Fit {
  readonly form: Form
  readonly values: readonly string[]
}

/** The form that says these words, with the values among them; null where none does. */
export function fitting({ forms }: Pick<Verb, 'forms'>, said: readonly string[]): Fit | null {
  const fits = forms.flatMap((form) => {
    const values = valuesAmong(wordsOf(form), said)
    return values === null ? [] : [{ form, values, own: ownWords(form) }]
  })
  return fits.toSorted((a, b) => b.own - a.own)[0] ?? null
}

const ownWords = (form: Form): number => wordsOf(form).filter(({ is_value }) => !is_value).length

function valuesAmong(words: readonly Word[], said: readonly string[]): readonly string[] | null {
  const values: string[] = []
  let at = 0
  for (const word of words) {
    if (!word.is_value) {
      if (said[at] === word.text) at++
      else if (!word.may_lack) return null
      continue
    }
    if (at >= said.length && !word.may_lack) return null
    const taken = word.repeats ? said.slice(at) : said.slice(at, at + 1)
    values.push(...taken)
    at += taken.length
  }
  return at === said.length ? values : null
}

/** The forms that begin as these words do: what somebody may have meant who left a word out, or said one too many. */
export function begunBy({ forms }: Pick<Verb, 'forms'>, said: readonly string[]): readonly Form[] {
  const [first] = said
  if (first === undefined) return forms
  const begun = forms.filter((form) => {
    const [word] = wordsOf(form)
    return word !== undefined && !word.is_value && word.text === first
  })
  return begun.length > 0 ? begun : forms
}
