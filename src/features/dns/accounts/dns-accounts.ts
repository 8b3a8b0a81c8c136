/** From settings, and from the file that may name further ones, to accounts at DNS providers. All that is missing is said at once. */
import { Failure, type FieldError, fieldError } from '../../../kernel/failure.ts'
import { accountsIn } from './dns-accounts-file.ts'
import { type DnsAccount, limitedTo } from './dns-account.ts'
import type { DnsProviderKind } from '../settings.ts'
import type { Settings } from '../../../config/sections.ts'

/** @param listed what the accounts file holds, parsed; null without one. Throws `bad_configuration`. */
export function dnsAccounts(settings: Settings, listed: unknown): readonly DnsAccount[] {
  const errors: FieldError[] = []
  const accounts = settings.dns.providers.flatMap((provider) =>
    provider === 'none' ? [] : (fromSettings(provider, settings.dns, errors) ?? []),
  )
  if (listed !== null) accounts.push(...accountsIn(listed, settings.dns.zones, errors))
  for (const { name } of accounts)
    if (accounts.filter((other) => other.name === name).length > 1)
      errors.push(fault('PLUMBLINE_DNS_ACCOUNTS_FILE', `names the account "${name}" twice`))
  if (errors.length === 0) return accounts
  const message = errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}.`).join('\n')
  throw new Failure('bad_configuration', message, { errors })
}

const fault = (name: string, msg: string): FieldError => fieldError([name], msg, 'config')

/** An account from the environment bears its provider's name. */
function fromSettings(
  provider: DnsProviderKind,
  dns: Settings['dns'],
  errors: FieldError[],
): DnsAccount | null {
  const common = { name: provider, zones: dns.zones }
  const need = <T>(value: T | null, name: string): T | null => {
    if (value === null) errors.push(fault(name, `is required with PLUMBLINE_DNS_PROVIDER=${provider}`))
    return value
  }
  switch (provider) {
    case 'zonefile':
      return {
        ...common,
        provider,
        directory: dns.zonefile_dir,
        nameservers: dns.zonefile_nameservers,
        reload: dns.zonefile_reload,
      }
    case 'powerdns': {
      const api_key = need(dns.powerdns_api_key, 'PLUMBLINE_POWERDNS_API_KEY')
      return api_key && { ...common, provider, url: dns.powerdns_url, api_key }
    }
    case 'cloudflare': {
      const token = need(dns.cloudflare_api_token, 'PLUMBLINE_CLOUDFLARE_API_TOKEN')
      return token && { ...common, provider, token, url: dns.cloudflare_url }
    }
    case 'hetzner': {
      const token = need(dns.hetzner_token, 'PLUMBLINE_HETZNER_TOKEN')
      return token && { ...common, provider, token, url: dns.hetzner_url }
    }
    case 'desec': {
      const token = need(dns.desec_token, 'PLUMBLINE_DESEC_TOKEN')
      return token && { ...common, provider, token, url: dns.desec_url }
    }
    case 'rfc2136': {
      const server = need(dns.rfc2136_server, 'PLUMBLINE_RFC2136_SERVER')
      const name = need(dns.rfc2136_key_name, 'PLUMBLINE_RFC2136_KEY_NAME')
      const secret = need(dns.rfc2136_key_secret, 'PLUMBLINE_RFC2136_KEY_SECRET')
      const allowed = limitedTo(dns.rfc2136_zones, dns.zones)
      const zones = need(allowed.length > 0 ? allowed : null, 'PLUMBLINE_RFC2136_ZONES')
      if (server === null || name === null || secret === null || zones === null) return null
      const key = { name, algorithm: dns.rfc2136_key_algorithm, secret }
      return { ...common, zones, provider, server, key }
    }
  }
}
