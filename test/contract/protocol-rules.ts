/**
 * The rules across a record's fields as cases, for whoever enforces them: the model's check and every database must give
 * the same verdict on each.
 */
import { type DomainFields, PROTOCOLS, SERVICE_TYPES } from '../../src/model/domain/record.ts'
import { someFields } from '../fixtures.ts'

export interface RuleCase {
  readonly name: string
  readonly fields: DomainFields
  readonly allowed: boolean
}

/** A record that breaks no rule. */
export const plainFields: DomainFields = someFields({ backend_host: '10.0.0.5' })

export const tcpFields: DomainFields = { ...plainFields, protocol: 'tcp', tcp_entrypoint: 'postgres' }

const on = (base: DomainFields, change: Partial<DomainFields>): DomainFields => ({ ...base, ...change })

const INSECURE = { backend_tls: { trust: 'insecure' } } as const
const NO_BACKEND = { backend_host: null, backend_port: null }

export const protocolRuleCases: readonly RuleCase[] = [
  { name: 'a plain HTTP record', fields: plainFields, allowed: true },
  { name: 'HTTP without a host', fields: on(plainFields, { backend_host: null }), allowed: false },
  { name: 'HTTP without a port', fields: on(plainFields, { backend_port: null }), allowed: false },
  { name: 'HTTP with CORS', fields: on(plainFields, { cors_enabled: true }), allowed: true },
  { name: 'HTTP with a default path', fields: on(plainFields, { default_path: '/app' }), allowed: true },
  {
    name: 'HTTP with an idle entrypoint',
    fields: on(plainFields, { tcp_entrypoint: 'postgres' }),
    allowed: true,
  },
  {
    name: 'manual without a backend',
    fields: on(plainFields, { service_type: 'manual', ...NO_BACKEND }),
    allowed: true,
  },
  { name: 'manual with a backend', fields: on(plainFields, { service_type: 'manual' }), allowed: true },
  {
    name: 'manual over TCP without a backend',
    fields: on(tcpFields, { service_type: 'manual', ...NO_BACKEND }),
    allowed: false,
  },
  {
    name: 'manual over TCP with a backend',
    fields: on(tcpFields, { service_type: 'manual' }),
    allowed: true,
  },
  { name: 'TCP', fields: tcpFields, allowed: true },
  { name: 'TCP without an entrypoint', fields: on(tcpFields, { tcp_entrypoint: null }), allowed: false },
  { name: 'TCP without a host', fields: on(tcpFields, { backend_host: null }), allowed: false },
  { name: 'TCP without a port', fields: on(tcpFields, { backend_port: null }), allowed: false },
  { name: 'TCP with CORS', fields: on(tcpFields, { cors_enabled: true }), allowed: false },
  { name: 'TCP with a default path', fields: on(tcpFields, { default_path: '/app' }), allowed: false },
  { name: 'HTTP with an empty host', fields: on(plainFields, { backend_host: '' }), allowed: false },
  { name: 'TCP with an empty host', fields: on(tcpFields, { backend_host: '' }), allowed: false },
  { name: 'TCP with an empty entrypoint', fields: on(tcpFields, { tcp_entrypoint: '' }), allowed: false },
  {
    name: 'manual with an empty host',
    fields: on(plainFields, { service_type: 'manual', backend_host: '' }),
    allowed: false,
  },
  {
    name: 'HTTP with an idle empty entrypoint',
    fields: on(plainFields, { tcp_entrypoint: '' }),
    allowed: false,
  },
  { name: 'tcp-proxy over TCP', fields: on(tcpFields, { service_type: 'tcp-proxy' }), allowed: true },
  { name: 'tcp-proxy over HTTP', fields: on(plainFields, { service_type: 'tcp-proxy' }), allowed: false },
  { name: 'port 1', fields: on(plainFields, { backend_port: 1 }), allowed: true },
  { name: 'port 65535', fields: on(plainFields, { backend_port: 65535 }), allowed: true },
  { name: 'port 0', fields: on(plainFields, { backend_port: 0 }), allowed: false },
  { name: 'port 65536', fields: on(plainFields, { backend_port: 65536 }), allowed: false },
  { name: 'half a port', fields: on(plainFields, { backend_port: 80.5 }), allowed: false },
  {
    name: 'an unknown service type',
    fields: on(plainFields, { service_type: 'ftp' as 'http' }),
    allowed: false,
  },
  {
    name: 'an unknown environment',
    fields: on(plainFields, { environment: 'test' as 'production' }),
    allowed: false,
  },
  { name: 'h2c', fields: on(plainFields, { backend_scheme: 'h2c' }), allowed: true },
  {
    name: 'an unknown scheme',
    fields: on(plainFields, { backend_scheme: 'ftp' as 'http' }),
    allowed: false,
  },
  { name: 'TCP with a scheme', fields: on(tcpFields, { backend_scheme: 'https' }), allowed: false },
  { name: 'TCP with trust', fields: on(tcpFields, { backend_port: 443, ...INSECURE }), allowed: false },
  {
    name: 'HTTPS with trust',
    fields: on(plainFields, { backend_scheme: 'https', ...INSECURE }),
    allowed: true,
  },
  { name: 'port 443 with trust', fields: on(plainFields, { backend_port: 443, ...INSECURE }), allowed: true },
  { name: 'another port with trust', fields: on(plainFields, INSECURE), allowed: false },
  {
    name: 'plain HTTP on port 443 with trust',
    fields: on(plainFields, { backend_port: 443, backend_scheme: 'http', ...INSECURE }),
    allowed: false,
  },
  {
    name: 'manual without a backend, with trust',
    fields: on(plainFields, { service_type: 'manual', ...NO_BACKEND, ...INSECURE }),
    allowed: false,
  },
  { name: 'an unknown protocol', fields: on(plainFields, { protocol: 'udp' as 'tcp' }), allowed: false },
]

/** Every combination of what the rules look at, without a verdict: two judges are compared on it. */
export function everyRuleInput(): readonly DomainFields[] {
  const yes_no = [true, false]
  const inputs: DomainFields[] = []
  for (const service_type of SERVICE_TYPES)
    for (const protocol of PROTOCOLS)
      for (const host of yes_no)
        for (const port of yes_no)
          for (const entrypoint of yes_no)
            for (const cors_enabled of yes_no)
              for (const path of yes_no)
                inputs.push({
                  ...plainFields,
                  service_type,
                  protocol,
                  backend_host: host ? '10.0.0.5' : null,
                  backend_port: port ? 8080 : null,
                  tcp_entrypoint: entrypoint ? 'postgres' : null,
                  cors_enabled,
                  default_path: path ? '/app' : null,
                })
  return inputs
}
