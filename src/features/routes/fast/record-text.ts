/**
 * The text of a record's objects, as the plain renderer (`render/record.ts`) and the emitter give it: by forms for records
 * that share their traits, which are nearly all.
 */
import type { DomainFields } from '../../../model/domain/record.ts'
import { entry } from '../render/emit.ts'
import { redirectShape, routerShape, type Use } from '../render/http-routers.ts'
import { KINDS, type RecordKind } from '../render/kinds.ts'
import { type AlikeKind, isAlike, kindsOf, recordObjects } from '../render/record.ts'
import { type Traits, traitsOf, valuesOf } from '../render/route.ts'
import { serviceShape } from '../render/services.ts'
import type { RoutesSettings } from '../render/settings.ts'
import { isPlain, mayHoldBlank, withForms, type Writer } from './forms.ts'

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
    const writers = !has_blank && isPlain(fields) ? quick : exact
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
