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

/** An address that no page shows stays: it is the only word for it. */
export const pageWords = (text: string): string =>
  text
    .replace(PART_FIRST, (name) => componentWords(name).title)
    .replaceAll(ADDRESS, (whole: string, path: string, at: number, all: string) => {
      const found = PAGES.find(([beginning]) => path === beginning || path.startsWith(`${beginning}/`))
      if (found === undefined) return whole
      return /(?:^|[.!?] )$/.test(all.slice(0, at)) ? capital(found[1]) : found[1]
    })
