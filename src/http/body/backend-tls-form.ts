/** Whom the proxy trusts towards a backend: as answers show it, and as callers say it. */
import { z } from 'zod'
import { BACKEND_TRUSTS } from '../../model/domain/backend-tls.ts'
import { PART_FORMS } from '../../model/domain/grammar.ts'
import { being, having, when } from './json-conditions.ts'
import { offeredFrom } from '../openapi/offered.ts'
import { formed } from './scalars.ts'

const WORDS = {
  all: 'Whom the proxy trusts over https; null for an authority that its host trusts',
  trust:
    "What makes the proxy sure of the backend: an authority that the proxy's host trusts (system), one of your own (ca), this one certificate (certificate), or nothing at all (insecure)",
  server_name: 'The name in the certificate of the backend, where it is not backend_host',
  pem: 'Of ca and certificate: PEM, certificates alone',
  ca_name: 'Of ca, in place of pem: a file of the folder PLUMBLINE_BACKEND_CA_DIR, without .pem',
  fingerprint:
    'Of certificate: its SHA-256. Without pem, the certificate is fetched from the backend when the record is saved, and taken if this is its fingerprint',
}

export const shownBackendTls = z
  .object({
    trust: z.enum(BACKEND_TRUSTS).describe(WORDS.trust),
    server_name: z.string().optional().describe(WORDS.server_name),
    pem: z.string().optional().describe(WORDS.pem),
    ca_name: z.string().optional().describe(WORDS.ca_name),
    fingerprint: z.string().optional().describe(WORDS.fingerprint),
  })
  .nullable()
  .describe(WORDS.all)

const NOTHING_OF = { pem: false, ca_name: false, fingerprint: false }

export const askedBackendTls = z
  .strictObject({
    trust: z.enum(BACKEND_TRUSTS).describe(WORDS.trust),
    server_name: formed(PART_FORMS.server_name).optional().describe(WORDS.server_name),
    pem: formed(PART_FORMS.pem)
      .meta({ contentMediaType: 'application/pem-certificate-chain' })
      .optional()
      .describe(WORDS.pem),
    ca_name: formed(PART_FORMS.ca_name)
      .meta(offeredFrom('backend_authorities'))
      .optional()
      .describe(WORDS.ca_name),
    fingerprint: formed(PART_FORMS.fingerprint)
      .meta({ contentEncoding: 'base16' })
      .optional()
      .describe(WORDS.fingerprint),
  })
  .meta({
    allOf: [
      when({ properties: { trust: { enum: ['system', 'insecure'] } } }, { properties: NOTHING_OF }),
      when(being('trust', 'ca'), {
        properties: { fingerprint: false },
        oneOf: [having('pem'), having('ca_name')],
      }),
      when(being('trust', 'certificate'), {
        properties: { ca_name: false },
        anyOf: [having('pem'), having('fingerprint')],
      }),
    ],
  })
  .nullable()
  .describe(WORDS.all)
