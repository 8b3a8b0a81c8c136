/** What an owner may write into a record, with the form of every text, and the rules across fields, for the description. */
import { z } from 'zod'
import { MAX_EXTRA_MIDDLEWARES, MAX_TAGS, PART_FORMS } from '../../../model/domain/grammar.ts'
import { FIELD_NAMES, FIELDS, type TextField } from '../../../model/domain/record.ts'
import { being, when } from '../../../http/body/json-conditions.ts'
import { offeredFrom } from '../../../http/openapi/offered.ts'
import { formed } from '../../../http/body/scalars.ts'
import { askedBackendTls } from '../../../http/body/backend-tls-form.ts'
import { writable } from '../../../http/common-views.ts'

const formOf = (field: TextField) => formed(FIELDS[field].form)

/** Every text of a record, in the form of its field. */
const TEXTS = Object.fromEntries(
  FIELD_NAMES.filter((name): name is TextField => 'form' in FIELDS[name]).map((name) => [
    name,
    formOf(name)
      .nullable()
      .describe(writable[name].description ?? ''),
  ]),
) as unknown as Pick<typeof writable, TextField>

const middlewareConfig = z.strictObject({
  extra_middlewares: z
    .array(formed(PART_FORMS.extra_middleware).meta(offeredFrom('middlewares')))
    .max(64)
    .meta({ maxItems: MAX_EXTRA_MIDDLEWARES, uniqueItems: true })
    .optional()
    .describe('Names from the middleware catalogue'),
})

/** As `writable`, for what callers send. */
export const asked = {
  ...writable,
  ...TEXTS,
  domain: formOf('domain').describe(
    'Fully qualified name, one leading "*." allowed; stored in lower-case A-label form. Names outside ASCII are best sent as A-labels',
  ),
  backend_tls: askedBackendTls,
  tcp_entrypoint: formOf('tcp_entrypoint')
    .meta(offeredFrom('tcp_entrypoints'))
    .nullable()
    .describe(
      'Required when protocol is tcp: one of PLUMBLINE_ENTRYPOINTS that is for TCP or, with ssl_enabled, the one for https',
    ),
  middleware_config: middlewareConfig.nullable(),
  tags: z.array(formed(PART_FORMS.tag)).max(64).meta({ maxItems: MAX_TAGS, uniqueItems: true }),
}

const TEXT = { type: 'string' }
const NUMBER = { type: 'integer' }
const NOTHING = { type: 'null' }

const IS_TCP = { anyOf: [being('protocol', 'tcp'), being('service_type', 'tcp-proxy')] }

const TCP_PROXY = when(being('service_type', 'tcp-proxy'), { properties: { protocol: { const: 'tcp' } } })

const HTTP_ALONE = {
  backend_scheme: NOTHING,
  backend_tls: NOTHING,
  cors_enabled: { const: false },
  default_path: NOTHING,
  middleware_config: {
    properties: { extra_middlewares: { maxItems: 0 } },
  },
}

const backend = { backend_host: TEXT, backend_port: NUMBER }
const tcp = { tcp_entrypoint: TEXT, ...backend, ...HTTP_ALONE }

const ON_TLS = {
  allOf: [
    IS_TCP,
    {
      properties: { tcp_entrypoint: { enum: ['websecure'], ...offeredFrom('tls_entrypoints') } },
      required: ['tcp_entrypoint'],
    },
  ],
}

/** An entrypoint that serves HTTPS takes no plain TCP. */
const BESIDE_HTTPS = when(ON_TLS, { properties: { ssl_enabled: { const: true } } })

/** The middleware that such services cannot have; an installation lists all of its catalogue. */
const UNFIT = (['websocket', 'api'] as const).map((type) => {
  const unfit = { enum: ['compress'], ...offeredFrom(`unfit_for_${type}`) }
  const middleware_config = { properties: { extra_middlewares: { items: { not: unfit } } } }
  return when(being('service_type', type), { properties: { middleware_config } })
})

/** Trust means something over TLS, which is the default for port 443 alone. */
const TLS_NEEDS_HTTPS = when(
  { properties: { backend_tls: { type: 'object' } }, required: ['backend_tls'] },
  {
    anyOf: [
      being('backend_scheme', 'https'),
      { properties: { backend_port: { const: 443 }, backend_scheme: NOTHING }, required: ['backend_port'] },
    ],
  },
)

/** What holds across the fields of a new record, in JSON Schema. */
export const NEW_RECORD_RULES = [
  TCP_PROXY,
  TLS_NEEDS_HTTPS,
  when(IS_TCP, { required: ['tcp_entrypoint', 'backend_host', 'backend_port'], properties: tcp }),
  when(being('service_type', 'manual'), null, {
    required: ['backend_host', 'backend_port'],
    properties: backend,
  }),
  BESIDE_HTTPS,
  ...UNFIT,
]

/** Of a change: what cannot be, whatever the record says. */
export const CHANGE_RULES = [
  TCP_PROXY,
  when(IS_TCP, { properties: tcp }),
  when(
    { properties: { service_type: { not: { const: 'manual' } } }, required: ['service_type'] },
    { properties: backend },
  ),
  BESIDE_HTTPS,
  ...UNFIT,
]
