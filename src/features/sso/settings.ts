/** Settings of single sign-on: the rules file, the provider that reads it, and the proof that routes are closed. */
import { oneOf, path } from '../../config/kinds/basic.ts'
import { parseNameServer } from '../../config/kinds/name-servers.ts'
import { httpUrl, parseHost, showHostPort } from '../../config/kinds/network.ts'
import { listOf, textual, wrong } from '../../config/kinds/refine.ts'
import { checkCommand, restartWay, rulesPath, seconds, showRestart } from './setting-kinds.ts'
import { optional, setting } from '../../config/setting.ts'

const probePlace = (example: string) =>
  textual((text) =>
    /:\d+$/.test(text) ? parseNameServer(text) : wrong(`must be host:port, such as ${example}`),
  )

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** As a provider calls it: nearly anything. */
const parseGroup = (text: string) =>
  text.length > 128 || CONTROL.test(text)
    ? wrong('must be at most 128 characters without control characters')
    : text

/** Of the file, as one line of YAML. */
const POLICIES_EXAMPLE =
  'policies: [{ domain: admin.example.com, policy: two_factor }, { domain: wiki.example.com, access: [{ groups: [staff], policy: one_factor }], bypass: [/healthz] }]'

export const sso = {
  rules_file: optional({
    name: 'PLUMBLINE_SSO_RULES_FILE',
    example: '/etc/authelia/access-control.yml',
    schema: rulesPath,
    help: 'The file with Authelia’s whole access_control section, which Plumbline writes. Unset: access rules are not managed.',
  }),
  default_policy: setting({
    name: 'PLUMBLINE_SSO_POLICY',
    example: 'two_factor',
    schema: oneOf(['one_factor', 'two_factor', 'deny']),
    default: 'one_factor',
    help: 'Who may open a protected domain of which PLUMBLINE_SSO_POLICIES_FILE says nothing: everybody who signs in so.',
  }),
  policies_file: optional({
    name: 'PLUMBLINE_SSO_POLICIES_FILE',
    example: '/etc/plumbline/policies.yml',
    schema: path,
    help: `A YAML file with policies, groups and open paths of single domains, such as \`${POLICIES_EXAMPLE}\`. Only read, at start: restart the daemon after an edit, then deploy.`,
  }),
  restart: setting({
    name: 'PLUMBLINE_SSO_RESTART',
    example: 'docker:authelia',
    schema: restartWay,
    default: 'none',
    show: showRestart,
    help: 'How Authelia is restarted, to take new rules and, with PLUMBLINE_SSO_USERS_RELOAD=restart, new users: `command:PROGRAM ARGUMENTS`, `docker:CONTAINER` over /var/run/docker.sock, `systemd-path` (something watches the file and restarts it), or none: somebody else does, and whether rules are loaded stays unknown.',
  }),
  restart_gap: setting({
    name: 'PLUMBLINE_SSO_RESTART_GAP',
    example: '60',
    schema: seconds,
    default: '30',
    help: 'Least seconds between two restarts; changes in between are gathered.',
  }),
  health_url: optional({
    name: 'PLUMBLINE_SSO_HEALTH_URL',
    example: 'http://127.0.0.1:9091/api/health',
    schema: httpUrl,
    help: 'Answers 200 when Authelia is up. Unset: /api/health below PLUMBLINE_SSO_URL.',
  }),
  check: optional({
    name: 'PLUMBLINE_AUTHELIA',
    example: 'authelia config validate --config /etc/authelia/configuration.yml,{file}',
    schema: checkCommand,
    show: (words) => words.join(' '),
    help: 'Command that checks rules before they are written, with {file} for their file, such as `authelia config validate --config /etc/authelia/configuration.yml,{file}`.',
  }),
  probe: optional({
    name: 'PLUMBLINE_SSO_PROBE',
    example: 'traefik:443',
    schema: probePlace('traefik:443'),
    show: showHostPort,
    help: 'Where the proxy serves HTTPS (host:port). Every protected route is asked there without signing in, and must not answer.',
  }),
  probe_http: optional({
    name: 'PLUMBLINE_SSO_PROBE_HTTP',
    example: 'traefik:80',
    schema: probePlace('traefik:80'),
    show: showHostPort,
    help: 'Where the proxy serves plain http (host:port). Protected routes are asked there too: those without TLS, and the others in case somebody else serves them there.',
  }),
  unproven: setting({
    name: 'PLUMBLINE_SSO_UNPROVEN',
    example: 'accept',
    schema: oneOf(['warn', 'accept']),
    default: 'warn',
    help: 'warn: a deploy warns where nobody asks its protected routes without signing in (no PLUMBLINE_SSO_PROBE). accept: its answer names them in `not_proven` alone.',
  }),
  cookie_domains: setting({
    name: 'PLUMBLINE_SSO_COOKIE_DOMAINS',
    example: 'example.com',
    schema: listOf(parseHost),
    default: '',
    help: 'Domains of Authelia’s session.cookies, comma-separated: nobody can sign in outside them. Unset: read from PLUMBLINE_SSO_CONFIG.',
  }),
  config_file: optional({
    name: 'PLUMBLINE_SSO_CONFIG',
    example: '/etc/authelia/configuration.yml',
    schema: path,
    help: 'Authelia’s own configuration file. Only read: cookie domains, sign-in pages, second factors, access rules that should not be there.',
  }),
  change_groups: setting({
    name: 'PLUMBLINE_SSO_CHANGE_GROUPS',
    example: 'admins',
    schema: listOf(parseGroup),
    default: '',
    help: 'Groups of the SSO provider, comma-separated, whose members may call everything here, as the header Remote-Groups of a listed proxy names them. Unset: nobody changes anything by SSO.',
  }),
  read_groups: setting({
    name: 'PLUMBLINE_SSO_READ_GROUPS',
    example: 'staff',
    schema: listOf(parseGroup),
    default: '',
    help: 'Groups whose members may read everything here by SSO. Unset: whoever has signed in may read everything here.',
  }),
  quarantine: setting({
    name: 'PLUMBLINE_SSO_QUARANTINE',
    example: 'on',
    schema: oneOf(['off', 'on']),
    default: 'off',
    help: 'on: a protected route that answers without signing in is taken out until a person lifts that.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly sso: typeof sso
  }
}
