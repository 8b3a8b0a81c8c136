/** What is said of a backend that nobody was seen at. */
import { hostPort } from '../network/address.ts'
import type { DomainFields } from './record.ts'

/** The proxy may be where it is reached: only a refusal says more than that nobody was seen. */
export const unreachedWords = (
  { backend_host, backend_port }: Pick<DomainFields, 'backend_host' | 'backend_port'>,
  failure: string,
): string =>
  `its backend ${hostPort(backend_host ?? '', backend_port ?? 0)} ${WORDS[failure] ?? 'cannot be reached'} from here`

const WORDS: Readonly<Record<string, string>> = {
  refused: 'refuses connections',
  timeout: 'does not answer',
  // Nobody may have answered who knows it.
  no_such_name: 'was not found',
}
