/** How a backend is found to be, as answers show it: declared once. */
import { z } from 'zod'
import { CERTIFICATE_FAULTS } from '../../../model/network/certificate-text.ts'
import { PROTOCOLS, SERVICE_TYPES } from '../../../model/domain/record.ts'
import { UNFIT } from './vetted.ts'
import { writable } from '../../../http/common-views.ts'
import type { Answered } from '../../../http/contract.ts'

export const PROBES = ['tcp', 'http', 'https', 'websocket', 'api_description', 'spa', 'static'] as const

/** How a proxy gets on with a backend, and how it would. */
export const BackendTransport = z.object({
  works: z
    .boolean()
    .nullable()
    .describe('Whether the proxy reaches the backend as the record says; null where that was not found out'),
  speaks: writable.backend_scheme.describe('What the backend speaks'),
  certificate: z
    .object({
      fingerprint: z.string().describe('SHA-256'),
      names: z.array(z.string()).max(50).describe('The first of them'),
      more_names: z.int().min(0).describe('How many names it has beyond these'),
      fault: z.enum(CERTIFICATE_FAULTS).nullable().describe('Why the proxy refuses it'),
    })
    .nullable(),
  detail: z.string().describe('What a visitor meets, and what would help'),
  suggestion: z
    .object({ backend_scheme: writable.backend_scheme, backend_tls: writable.backend_tls })
    .nullable()
    .describe('What the record should say; null where nothing better is known'),
})
export type BackendTransport = Answered<typeof BackendTransport>

export const backendTransport = () =>
  BackendTransport.nullable().describe(
    'Null where nobody answers, and for a record that is not spoken HTTP to',
  )

export const Evidence = z.object({ probe: z.enum(PROBES), found: z.boolean().nullable(), detail: z.string() })
export type Evidence = Answered<typeof Evidence>

const Suggestion = z.object({
  service_type: z.enum(SERVICE_TYPES),
  protocol: z.enum(PROTOCOLS),
  confidence: z.number().min(0).max(1),
  because: z.string(),
})

export const Autodetected = z
  .object({
    domain_id: z.int(),
    domain: z.string(),
    service_type: z.enum(SERVICE_TYPES).describe('What the record says; it is not changed'),
    suggestion: Suggestion.nullable(),
    agrees: z.boolean().nullable(),
    evidence: z.array(Evidence),
    not_probed_because: z.enum(UNFIT).nullable(),
    notes: z.array(z.string()),
    backend_transport: backendTransport(),
  })
  .meta({ id: 'AutodetectResult' })
export type Autodetected = Answered<typeof Autodetected>
