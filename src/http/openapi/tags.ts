/** What each group of endpoints is about. A tag without a line here does not get into the description. */
import type { Endpoint } from '../contract.ts'

const TAGS: Readonly<Record<string, string>> = {
  System: 'Whether the process serves, its metrics, and this description',
  Domains: 'The records: one public name each, from saving to deploying to taking it away',
  Proxy: 'What the proxy really runs, what a backend speaks, and the catalogue of middlewares',
  Deployment: 'Bringing out what is saved, for the whole installation or an estate in one call',
  Releases: 'What was deployed when, with its exact bytes; comparing and restoring',
  Audit: 'Who changed what',
  Plans: 'Plans as things of their own: made, read, applied exactly as they are',
  Events: 'What happens, as a stream or in pages',
  Conditions: 'What is known to be right, and why a domain is as it is',
  Operations: 'Calls that go on after their caller was answered',
  Modes: 'How far the reconciler may go on its own',
  Certificates: 'Certificates of our own and of the proxy, and what is served',
  SSO: 'Whether protected domains are protected, and who can open what',
  DNS: 'Zones, records and their owners',
  Users: 'People who sign in: inviting, regrouping, revoking',
  'E-mail': 'Sending mail, and whether it would work',
  'Dynamic DNS': 'Gateways that report their address, and their tokens',
  'SSH clients': 'Keys that may log in to the SSH gateway',
  Edges: 'Public ingress nodes that fetch the released routes',
  Notifications: 'What is wrong, who was told of it, and whether messages arrive',
  Keys: 'Keys of this API and other credentials, without their secrets',
  Discovery: 'What runs on container hosts, clusters and in the network, and which domain leads to it',
  Network: 'Views of the network for people',
}

export const tagsOf = (
  endpoints: readonly Endpoint[],
): { readonly name: string; readonly description?: string }[] =>
  [...new Set(endpoints.flatMap(({ tags }) => tags))].map((name) => {
    const description = TAGS[name]
    return description === undefined ? { name } : { name, description }
  })
