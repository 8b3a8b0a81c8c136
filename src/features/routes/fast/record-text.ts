/**
 * The text of a record's objects, as the plain renderer (`render/record.ts`) and the emitter give it: by forms for records
 * that share their traits, which are nearly all.
 */
import type { DomainFields } from '../../../model/domain/record.ts'
import { entry } from '../render/emit.ts'
import { redirectShape, routerShape, type Use } from '../render/http-routers.ts'
import { KINDS, type RecordKind } from '../render/kinds.ts'
import { type AlikeKind, isAlike, kindsOf, recordObjects } from '../render/record.ts'
import { type Traits, traitsOf, type Values, valuesOf } from '../render/route.ts'
import { serviceShape } from '../render/services.ts'
import type { RoutesSettings } from '../render/settings.ts'

/** Writes each object of the record. */
export type RecordWriter = (fields: DomainFields) => void

/** Every trait that shows in an object of the kind. */
const SHAPES: Readonly<Record<AlikeKind, (traits: Traits) => number | string>> = {
  cors: ({ has_origin }) => (has_origin ? 1 : 0),
  assets: routerShape,
  document: routerShape,
  redirect: redirectShape,
  site: routerShape,
  service: serviceShape,
  tcp_router: ({ ssl_enabled, service_type }) =>
    (ssl_enabled ? 1 : 0) + (service_type === 'internal' ? 2 : 0),
  tcp_service: () => 0,
}

export function recordWriter(
  settings: RoutesSettings,
  use: Use,
  write: (kind: RecordKind, text: string, fields: DomainFields) => void,
): RecordWriter {
  const { alike, single } = recordObjects(settings, use)
  const kinds = kindsOf(settings)
  const exact = {} as Record<AlikeKind, Writer>
  const quick = {} as Record<AlikeKind, Writer>
  for (const kind of Object.keys(alike) as AlikeKind[]) {
    exact[kind] = (traits, values) => entry(KINDS[kind].mark + values.domain, alike[kind](traits, values))
    quick[kind] = withForms(exact[kind], SHAPES[kind])
  }
  const has_blank = haveBlank(settings)
  return (fields) => {
    const traits = traitsOf(fields)
    const values = valuesOf(fields)
    const writers = !has_blank && isPlain(fields, values) ? quick : exact
    for (const kind of kinds(fields)) {
      if (isAlike(kind)) write(kind, writers[kind](traits, values), fields)
      else {
        const config = single[kind](fields)
        if (config !== null) write(kind, entry(KINDS[kind].mark + fields.domain, config), fields)
      }
    }
  }
}

/** The settings that stand in routers. */
const haveBlank = ({ cert_resolver, http_entrypoint, https_entrypoint }: RoutesSettings): boolean =>
  [cert_resolver ?? '', http_entrypoint, https_entrypoint].some(mayHoldBlank)

// Writes once what many records share. Records of the same traits have the same text with other values in it, so the
// text is kept as a form with blanks and filled: several times faster than quoting and joining it for every record.

type Writer = (traits: Traits, values: Values) => string

/** Printable, and in no grammar of these values: the emitter leaves a blank as it is. */
const BLANK: Values = {
  domain: '<domain>',
  address: '<address>',
  health: '<health>',
  origin: '<origin>',
  entrypoint: '<entrypoint>',
}
const SLOTS = Object.keys(BLANK) as readonly (keyof Values)[]

/** Nothing that a writer would treat otherwise than by pasting it; a wildcard is no such name. */
const PLAIN_NAME = /^[a-z0-9.-]+$/
const PLAIN_VALUE = /^[A-Za-z0-9._~:/-]*$/
const PLAIN: Readonly<Record<keyof Values, RegExp>> = {
  domain: PLAIN_NAME,
  address: PLAIN_VALUE,
  health: PLAIN_VALUE,
  origin: PLAIN_VALUE,
  entrypoint: PLAIN_VALUE,
}

/** True for a record whose values may be pasted into a form. */
const isPlain = ({ protocol, tcp_entrypoint }: DomainFields, values: Values): boolean =>
  SLOTS.every((slot) => PLAIN[slot].test(values[slot])) && (protocol !== 'tcp' || tcp_entrypoint !== null)

/** True for a text that could be taken for a blank, and so must not stand in a form. */
const mayHoldBlank = (text: string): boolean => text.includes('<')

/** The same text as from `write`, for values that are plain; `shapeOf` must tell apart every trait that `write` looks at. */
function withForms(write: Writer, shapeOf: (traits: Traits) => number | string): Writer {
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
