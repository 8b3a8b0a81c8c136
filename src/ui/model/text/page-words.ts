/** A sentence of the API in the words of the pages: where it sends its reader to an address of the API, the page is named that shows it. Pure. */
import { capital, componentWords } from '../words.ts'

/** The longest beginning first, as each is looked for in this order. */
const PAGES: readonly (readonly [path: string, words: string])[] = [
  ['/api/sso', 'the page Access'],
  ['/api/access', 'the page Access'],
  ['/api/dns', 'the page DNS'],
  ['/api/certificates', 'the page Certificates'],
  ['/api/acme', 'the page Certificates'],
  ['/api/deploy', 'the page Changes'],
  ['/api/releases', 'the page Changes'],
  ['/api/audit', 'the page Changes'],
  ['/api/modes', 'Resume automatic repair'],
  ['/api/reconcile', 'Put back on the page Drift'],
  ['/api/drift', 'the page Drift'],
  ['/api/domains', 'the page of the domain'],
  ['/api/users', 'the page People'],
  ['/api/ddns', 'the page Dynamic DNS'],
  ['/api/ssh-clients', 'the page SSH clients'],
  ['/api/ccm/edge', 'the page Edges'],
  ['/api/credentials', 'the page System'],
  ['/api/keys', 'the page System'],
]

const ADDRESS = /(?:GET|POST|PUT|PATCH|DELETE) (\/api\/[\w/{}.-]*[\w/}])/g

/** A part, as the API calls it, that begins a sentence. */
const PART_FIRST = /^[a-z]+(?:[-_][a-z]+)*(?=(?::[\w.-]+)? is written as a whole)/

/** What a command shows or does, where a page does the same. */
const COMMANDS: readonly (readonly [command: RegExp, words: string])[] = [
  [/"?(?:plumbline )?certificates reconcile --retry"?/g, 'Obtain now'],
  [/"?plumbline plan"?/g, 'its plan'],
  [/"?plumbline drift"?/g, 'the page Drift'],
  [/"?plumbline status"?/g, 'the page Overview'],
  [/"?plumbline certificates"?/g, 'the page Certificates'],
  [/"?plumbline edges offline [\w.-]+"?/g, 'Take it out on the page Edges'],
  [/"?plumbline token list"?/g, 'the page Dynamic DNS'],
  [/"?plumbline token rotate ID"?/g, 'Rotate there'],
]
/** Only as the subject of a sentence: a command that is to be typed stays. */
const DOES = String.raw`(?= (?:shows|takes|makes|tries)\b)`
const SUBJECTS = COMMANDS.map(([command, words]) => [new RegExp(command.source + DOES, 'g'), words] as const)

const withPages = (text: string): string =>
  SUBJECTS.reduce(
    (said, [command, words]) =>
      said.replaceAll(command, (_, at: number) =>
        /(?:^|[.!?] )$/.test(said.slice(0, at)) ? capital(words) : words,
      ),
    text,
  ).replace(/Take it out on the page Edges takes it out/i, 'Take it out, on the page Edges, ends the alert')

/** An address that no page shows stays: it is the only word for it. */
export const pageWords = (text: string): string =>
  withPages(text)
    .replace(PART_FIRST, (name) => componentWords(name).title)
    .replaceAll(ADDRESS, (whole: string, path: string, at: number, all: string) => {
      const found = PAGES.find(([beginning]) => path === beginning || path.startsWith(`${beginning}/`))
      if (found === undefined) return whole
      return /(?:^|[.!?] )$/.test(all.slice(0, at)) ? capital(found[1]) : found[1]
    })

/** Where a part is seen whole and can be acted upon; null for one that is compared. */
export const pageOf = (component: string): { readonly title: string; readonly address: string } | null => {
  const found = PART_PAGES.find(([parts]) => parts.includes(component.split(':')[0]!.replaceAll('-', '_')))
  return found === undefined ? null : { title: found[1], address: found[2] }
}

const PART_PAGES: readonly (readonly [parts: readonly string[], title: string, address: string])[] = [
  [['edges'], 'Edges', '/edges'],
  [['discover'], 'Discover', '/discover'],
  [
    ['certificates', 'cert', 'certificates_file', 'certificates_served', 'acme'],
    'Certificates',
    '/certificates',
  ],
  [['people', 'sso_users', 'mail'], 'People', '/people'],
  [['ddns'], 'Dynamic DNS', '/ddns'],
  [['docker'], 'Discover', '/discover'],
  [['proxmox'], 'Inventory', '/inventory'],
  [['unifi'], 'Network', '/lan'],
  [['vpn'], 'VPN', '/vpn'],
  [['database', 'journal', 'heartbeats', 'credentials', 'alerting'], 'System', '/system'],
  [['ssh_gateway', 'ssh_proxy', 'ssh_host_keys'], 'SSH clients', '/ssh'],
]
