/** Names and texts of others: the host in bold, the zone plain, and nothing that hides itself. */
import { domainAddress } from '../address.ts'
import { splitName, visible } from '../model/visible.ts'

export function DomainName({ name }: { readonly name: string }) {
  const { host, zone } = splitName(visible(name))
  return (
    <bdi>
      {host}
      {zone !== '' && <span class="z">{zone}</span>}
    </bdi>
  )
}

export const DomainLink = ({ name }: { readonly name: string }) => (
  <a class="name" href={domainAddress(name)}>
    <DomainName name={name} />
  </a>
)

/** Any text that is not ours. */
export const Text = ({ of }: { readonly of: string }) => <bdi>{visible(of)}</bdi>
