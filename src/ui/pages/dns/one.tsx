/** One record: why it is not as it should be, what can be done, and what each name server shows. */
import { recordText, stateText, type Arrival, type RecordRow } from '../../model/kept/records.ts'
import { toneOf } from '../../model/kept/tones.ts'
import { LAMP_WORDS, type Lamp } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { capital } from '../../model/words.ts'
import { Acts } from '../../parts/acts.tsx'
import { LampIcon } from '../../parts/lamp.tsx'
import { SidePanel } from '../../parts/listing/side-panel.tsx'
import { DomainLink, DomainName } from '../../parts/name.tsx'
import { ttlText } from './table.tsx'

export function OneRecord({ row }: { readonly row: RecordRow }) {
  const { of: one, lamp, arrival } = row
  const text = recordText(row)
  return (
    <SidePanel
      lamp={lamp}
      title={
        <>
          {one.type} <DomainName name={one.name} />
        </>
      }
      label={`${one.type} ${visible(one.name)}`}
    >
      <section>
        <p class={toneOf(lamp)}>
          <b>{capital(LAMP_WORDS[lamp])}.</b> {text !== null && visible(text)}
        </p>
        {row.whose === 'others' && one.domain !== null && (
          <p class="q2 gap">Taken over, it gets our mark, and what its domain asks for.</p>
        )}
        {one.acts.length > 0 && (
          <div class="acts gap">
            <Acts acts={one.acts} first={lamp === 'drift'} />
          </div>
        )}
      </section>
      <section>
        <h3 class="t">Record</h3>
        <dl class="kv left">
          <dt>Whose</dt>
          <dd>{stateText(one.state)}</dd>
          <dt>Wanted</dt>
          <dd class="mono">{valuesText(one.desired)}</dd>
          <dt>At the provider</dt>
          <dd class="mono">{valuesText(one.observed)}</dd>
          <dt>TTL</dt>
          <dd>
            {ttlText(one.ttl)}
            {one.desired !== null && one.observed !== null && one.desired_ttl !== one.ttl && (
              <span class="q"> wanted {ttlText(one.desired_ttl)}</span>
            )}
          </dd>
          {one.proxied !== null && (
            <>
              <dt>Proxied</dt>
              <dd>{one.proxied ? 'yes' : 'no'}</dd>
            </>
          )}
          <dt>Zone</dt>
          <dd>
            {visible(one.zone)} <span class="q">at {visible(one.account)}</span>
          </dd>
          {one.domain !== null && (
            <>
              <dt>Domain</dt>
              <dd>
                <DomainLink name={one.domain} />
              </dd>
            </>
          )}
          {one.comment !== null && (
            <>
              <dt>Mark</dt>
              <dd class="mono s">{visible(one.comment)}</dd>
            </>
          )}
        </dl>
      </section>
      {arrival !== undefined && <Servers arrival={arrival} />}
    </SidePanel>
  )
}

const valuesText = (values: readonly string[] | null): string =>
  values === null ? 'nothing' : values.map(visible).join(', ')

const lampOf = (agrees: boolean | null): Lamp => (agrees === null ? 'unknown' : agrees ? 'ok' : 'drift')

const Servers = ({ arrival }: { readonly arrival: Arrival }) => (
  <section>
    <h3 class="t">What the name servers show</h3>
    <ul>
      {arrival.authoritative.map(({ host, address, values, agrees, detail }) => (
        <Server
          key={`${host} ${address}`}
          title={`${host} ${address}`}
          lamp={lampOf(agrees)}
          text={detail ?? valuesText(values)}
        />
      ))}
      {arrival.resolvers.map(({ address, values, agrees, detail, note }) => (
        <Server
          key={address}
          title={`resolver ${address}`}
          lamp={note === null ? lampOf(agrees) : 'off'}
          text={detail ?? valuesText(values)}
        />
      ))}
    </ul>
    {arrival.authoritative.length === 0 && <p class="q2">No name server was asked.</p>}
  </section>
)

const Server = ({
  title,
  lamp,
  text,
}: {
  readonly title: string
  readonly lamp: Lamp
  readonly text: string
}) => (
  <li class="why">
    <LampIcon lamp={lamp} />
    <span>
      {visible(title)} <span class="q2">{visible(text)}</span>
    </span>
  </li>
)
