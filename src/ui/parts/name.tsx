/** Names and texts of others: the host in bold, the zone plain, and nothing that hides itself. */
import { Fragment } from 'preact'
import { domainAddress } from '../address.ts'
import { breakParts, splitName, visible } from '../model/visible.ts'

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

/** An address or a line that breaks behind `/`, `.` and `:` alone, never within a number. */
export const Breaking = ({ of }: { readonly of: string }) => (
  <>
    {breakParts(of).map((part, at) => (
      <Fragment key={`${String(at)} ${part}`}>
        {at > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </>
)

/** Any text that is not ours. */
export const Text = ({ of }: { readonly of: string }) => <bdi>{visible(of)}</bdi>
