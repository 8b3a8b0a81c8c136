/** The bodies that make and change records. Grammars stand in the model; here stand types, forms and words. */
import { z } from 'zod'
import { STATUSES } from '../../../model/domain/record.ts'
import { asked, CHANGE_RULES, NEW_RECORD_RULES } from './forms.ts'

const status = z.enum(STATUSES)

/** Taken back as it was read; `readOnly` keeps generators from making it up. */
const ours = () => z.unknown().meta({ readOnly: true })

export const DomainCreate = z
  .strictObject({
    ...z.object(asked).partial().shape,
    domain: asked.domain,
    service_type: asked.service_type,
    environment: asked.environment,
    status: status
      .meta({ enum: ['inactive'] })
      .optional()
      .describe('Only "inactive"; activate the record to make it active'),
  })
  .meta({
    id: 'DomainCreate',
    examples: [
      {
        domain: 'app.example.com',
        service_type: 'http',
        environment: 'production',
        backend_host: '10.0.0.5',
        backend_port: 8080,
        tags: ['shop'],
      },
    ],
    allOf: NEW_RECORD_RULES,
  })

const readOnly = {
  id: ours(),
  domain_unicode: ours(),
  status: ours(),
  status_reason: ours(),
  auth_applies: ours(),
  backend_warning: ours(),
  external_ip: ours(),
  external_port: ours(),
  revision: ours(),
  created_at: ours(),
  updated_at: ours(),
  activated_at: ours(),
}

export const DomainUpdate = z
  .strictObject({ ...z.object(asked).partial().shape, ...z.object(readOnly).partial().shape })
  .meta({
    id: 'DomainUpdate',
    examples: [{ backend_port: 8081, note: 'Moved to the new host' }],
    description: 'Any subset. Read-only fields are accepted when they say what is true.',
    allOf: CHANGE_RULES,
  })

export const ExposeRequest = z
  .strictObject({ ...z.object(asked).partial().shape, domain: asked.domain })
  .meta({
    id: 'ExposeRequest',
    examples: [{ domain: 'files.example.com', backend_host: 'files.lan', backend_port: 8080 }],
    description: 'service_type defaults to http, environment to production.',
    allOf: NEW_RECORD_RULES,
  })
