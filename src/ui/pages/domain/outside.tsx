/** What of a domain is seen outside: its records at name servers, and its certificate. */
import { refresh, useResource } from '../../api/cache.ts'
import { now } from '../../api/clock.ts'
import type { DnsIntegrity, DomainCertificate, ExplainedDomain } from '../../api/types.ts'
import { parseTimeOr, untilText } from '../../model/ages.ts'
import { orderSteps } from '../../model/kept/order-steps.ts'
import { visible } from '../../model/visible.ts'
import { Steps } from '../../parts/change/steps.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { Resource } from '../../parts/panel.tsx'
import { ThreeTexts } from './rendered.tsx'
import { Prose } from '../../parts/text/prose.tsx'

/** Wanted, at the provider, at each authoritative server, at resolvers. */
export function DnsTab({ id }: { readonly id: number }) {
  const integrity = useResource<DnsIntegrity>('/api/dns/integrity')
  const explained = useResource<ExplainedDomain>(`/api/domains/${id}/explain`).value
  const own = explained?.components.filter(({ component }) => component === 'dns') ?? []
  return (
    <>
      {explained?.not_published !== null && explained !== undefined && (
        <p class="why">
          <LampIcon lamp="off" />
          <span>No record is made: {visible(explained.not_published)}.</span>
        </p>
      )}
      {own.map((part) => (
        <ThreeTexts key={part.key} part={part} />
      ))}
      <Resource of={integrity} what="What name servers show">
        {({ names, reason }) => {
          const shown = names.filter(({ domain_id }) => domain_id === id)
          if (shown.length === 0)
            return (
              <p class="q2 gap">{reason === null ? 'Name servers are not asked for it.' : visible(reason)}</p>
            )
          return (
            <table>
              <thead>
                <tr>
                  <th>Who</th>
                  <th>Shows</th>
                  <th>Agrees</th>
                </tr>
              </thead>
              <tbody>
                {shown.flatMap((one) => [
                  <AnswerRow
                    key={`${one.type} p`}
                    who={`provider, ${one.type}`}
                    values={one.provider}
                    agrees={null}
                  />,
                  ...one.authoritative.map(({ host, values, agrees }) => (
                    <AnswerRow key={`${one.type} ${host}`} who={host} values={values} agrees={agrees} />
                  )),
                  ...one.resolvers.map(({ address, values, agrees }) => (
                    <AnswerRow
                      key={`${one.type} ${address}`}
                      who={`resolver ${address}`}
                      values={values}
                      agrees={agrees}
                    />
                  )),
                ])}
              </tbody>
            </table>
          )
        }}
      </Resource>
    </>
  )
}

interface AnswerProps {
  readonly who: string
  readonly values: readonly string[] | null
  readonly agrees: boolean | null
}

const AnswerRow = ({ who, values, agrees }: AnswerProps) => (
  <tr>
    <td>{visible(who)}</td>
    <td class="mono">{values === null ? 'not found out' : values.map(visible).join(', ') || 'nothing'}</td>
    <td>{agrees === null ? '' : <LampIcon lamp={agrees ? 'ok' : 'drift'} />}</td>
  </tr>
)

export function CertificateTab({ id }: { readonly id: number }) {
  const url = `/api/domains/${id}/cert`
  const found = useResource<DomainCertificate>(url)
  return (
    <Resource of={found} what="The certificate" retry={() => void refresh(url)}>
      {({ served, stored, manager, last_error, reachable, distrust }) => (
        <>
          {served === null && (
            <p class="why">
              <LampIcon lamp="unknown" />
              <span>
                {reachable
                  ? 'No certificate is served.'
                  : 'It could not be asked which certificate is served.'}
              </span>
            </p>
          )}
          <OneCertificate title="Served" of={served} />
          <OneCertificate title="Stored" of={stored} />
          <OneCertificate title="Held here" of={manager?.installed ?? null} />
          {manager !== null && <Order of={manager} />}
          {distrust !== null && (
            <p class="c-bad gap">
              <Prose of={distrust} />
            </p>
          )}
          {last_error !== null && (
            <p class="c-bad gap">
              <Prose of={last_error} />
            </p>
          )}
        </>
      )}
    </Resource>
  )
}

/** How far its order is, when it is tried next, and where it can be tried now. */
function Order({ of: { name, order_step, next_attempt_at } }: { readonly of: Managed }) {
  const steps = orderSteps(order_step)
  const next = parseTimeOr(next_attempt_at)
  return (
    <section class="gapb" aria-label="The order">
      {steps.length > 0 && (
        <>
          <h2 class="t">The order</h2>
          <Steps steps={steps} />
        </>
      )}
      {next !== null && <p class="q2 gap">Next try or renewal {untilText(next, now.value)}.</p>}
      <p class="s gap">
        <a href={`/certificates?q=${encodeURIComponent(name)}`}>Try now, on the page Certificates</a>
      </p>
    </section>
  )
}

type Managed = NonNullable<DomainCertificate['manager']>
type Certificate = NonNullable<DomainCertificate['stored']>

function OneCertificate({ title, of }: { readonly title: string; readonly of: Certificate | null }) {
  if (of === null) return null
  return (
    <section class="box pad gapb">
      <h2 class="t">{title}</h2>
      <dl class="kv left">
        <dt>Names</dt>
        <dd class="mono">{of.names.map(visible).join(', ')}</dd>
        <dt>Issuer</dt>
        <dd>{visible(of.issuer)}</dd>
        <dt>Ends</dt>
        <dd>
          <Prose of={of.not_after} />, {of.state.replaceAll('_', ' ')}
        </dd>
        <dt>Fingerprint</dt>
        <dd class="mono">{of.fingerprint}</dd>
      </dl>
    </section>
  )
}
