/** State machines whose state is a word in a row: one pure step of xstate, and nothing that runs. */
import { type AnyStateMachine, transition } from 'xstate'

/** The next state, or null where the event is not taken in this one. Pure. */
export function nextState<State extends string>(
  machine: AnyStateMachine,
  state: State,
  event: string,
): State | null {
  const at = machine.resolveState({ value: state, context: {} })
  if (!at.can({ type: event })) return null
  const [next] = transition(machine, at, { type: event })
  return next.value as State
}
