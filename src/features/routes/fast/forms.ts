/**
 * Writes once what many records share. Records of the same traits have the same text with other values in it, so the
 * text is kept as a form with blanks and filled: several times faster than quoting and joining it for every record.
 */
import type { DomainFields } from '../../../model/domain/record.ts'
import type { Traits, Values } from '../render/route.ts'

export type Writer = (traits: Traits, values: Values) => string

/** Printable, and in no grammar of these values: the emitter leaves a blank as it is. */
const BLANK: Values = {
  domain: '<domain>',
  address: '<address>',
  health: '<health>',
  origin: '<origin>',
  entrypoint: '<entrypoint>',
}
const SLOTS = ['domain', 'address', 'health', 'origin', 'entrypoint'] as const

/** Nothing that a writer would treat otherwise than by pasting it; a wildcard is no such name. */
const PLAIN_NAME = /^[a-z0-9.-]+$/
const PLAIN_VALUE = /^[A-Za-z0-9._~:/-]*$/

/** True for a record whose values may be pasted into a form. */
export const isPlain = (fields: DomainFields): boolean =>
  PLAIN_NAME.test(fields.domain) &&
  isPlainValue(fields.backend_host) &&
  isPlainValue(fields.health_check_path) &&
  isPlainValue(fields.cors_origin) &&
  (fields.protocol !== 'tcp' || (fields.tcp_entrypoint !== null && isPlainValue(fields.tcp_entrypoint)))

const isPlainValue = (value: string | null): boolean => value === null || PLAIN_VALUE.test(value)

/** True for a text that could be taken for a blank, and so must not stand in a form. */
export const mayHoldBlank = (text: string): boolean => text.includes('<')

/** The same text as from `write`, for values that are plain; `shapeOf` must tell apart every trait that `write` looks at. */
export function withForms(write: Writer, shapeOf: (traits: Traits) => number | string): Writer {
  const forms = new Map<number | string, Form>()
  return (traits, values) => {
    const shape = shapeOf(traits)
    let form = forms.get(shape)
    if (form === undefined) {
      form = formOf(write(traits, BLANK))
      forms.set(shape, form)
    }
    return filled(form, values)
  }
}

interface Form {
  readonly pieces: readonly string[]
  /** The blank after each piece but the last. */
  readonly slots: readonly (keyof Values)[]
}

function formOf(text: string): Form {
  const pieces: string[] = []
  const slots: (keyof Values)[] = []
  let from = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', from)) {
    const slot = SLOTS.find((known) => text.startsWith(BLANK[known], at))!
    pieces.push(text.slice(from, at))
    slots.push(slot)
    from = at + BLANK[slot].length
  }
  return { pieces: [...pieces, text.slice(from)], slots }
}

function filled({ pieces, slots }: Form, values: Values): string {
  let text = pieces[0]!
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!
    // The usual ones spelled out: a lookup by a name that varies would cost more than all the rest of the filling.
    text += slot === 'domain' ? values.domain : slot === 'address' ? values.address : values[slot]
    text += pieces[i + 1]!
  }
  return text
}
