import { Layout, useFrame } from "./page.tsx"

interface Props {
  next?: string | undefined
  email?: string | undefined
  error?: string | undefined
  /** The fields that the error is about. */
  faults?: readonly string[]
  askForCode?: boolean
  /** The portal whose providers are offered, as the page's address has it. */
  portal?: string | undefined
  /** The providers that sign people in, and whether one of them does so for everybody but owners. */
  doors?: readonly { name: string; url: string; forAll: boolean }[]
}

/** The ways to sign in that need no password here. */
const Doors = ({ doors }: Required<Pick<Props, "doors">>) => (
  <ul class="doors">
    {doors.map(({ name, url }) => (
      <li>
        <a class="button" href={url}>{`Sign in with ${name}`}</a>
      </li>
    ))}
  </ul>
)

/** The form. The focus is on the first field that is to be filled, unless there are other ways before it. */
const PasswordForm = ({ next, portal, email, error, faults = [], askForCode, doors = [] }: Props) => {
  const told = (name: string) =>
    faults.includes(name) ? ({ "aria-invalid": "true", "aria-describedby": "error" } as const) : {}
  const action = portal ? `/login?portal=${encodeURIComponent(portal)}` : "/login"
  const focused = doors.length === 0 || error !== undefined
  return (
    <>
      <form method="post" action={action} aria-describedby={error ? "error" : undefined}>
        {next && <input type="hidden" name="next" value={next} />}
        <label for="email">Email address</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          required
          value={email}
          autofocus={focused && (!email || faults[0] === "email")}
          {...told("email")}
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          autofocus={focused && Boolean(email) && faults[0] !== "email"}
          {...told("password")}
        />
        {askForCode && (
          <>
            <label for="code">Code from your authenticator app, or a recovery code</label>
            <input
              id="code"
              name="code"
              type="text"
              autocomplete="one-time-code"
              autocapitalize="none"
              required
              {...told("code")}
            />
          </>
        )}
        <button type="submit">Sign in</button>
      </form>
      <p>
        <a href="/password/forgot">Forgotten your password?</a>
      </p>
      {useFrame().signUp && (
        <p>
          <a href="/sign-up">Sign up</a>
        </p>
      )}
    </>
  )
}

/** The sign-in page. It works without JavaScript. Where nobody but owners uses a password, the form stands behind. */
export const LoginPage = (props: Props) => {
  const { error, askForCode = false, doors = [] } = props
  return (
    <Layout title="Sign in">
      <main>
        <h1>{`Sign in to ${useFrame().site}`}</h1>
        {error && (
          <p id="error" class="error" role="alert">
            {error}
          </p>
        )}
        {doors.length > 0 && <Doors doors={doors} />}
        {doors.some(({ forAll }) => forAll) ? (
          <details open={askForCode || error !== undefined}>
            <summary>Sign in with a password, as an owner</summary>
            <PasswordForm {...props} />
          </details>
        ) : (
          <PasswordForm {...props} />
        )}
      </main>
    </Layout>
  )
}
