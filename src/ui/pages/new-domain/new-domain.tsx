/** A page that is being built. */
export const NewDomain = () => <h1>…</h1>
