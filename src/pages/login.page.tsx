import { Layout, useFrame } from "./page.tsx"

interface Props {
  next?: string | undefined
  email?: string | undefined
  error?: string | undefined
  /** The fields that the error is about. */
  faults?: readonly string[]
  askForCode?: boolean
}

/** The login form. It works without JavaScript. The focus is on the first field that is to be filled. */
export const LoginPage = ({ next, email, error, faults = [], askForCode = false }: Props) => {
  const told = (name: string) =>
    faults.includes(name) ? ({ "aria-invalid": "true", "aria-describedby": "error" } as const) : {}
  return (
    <Layout title="Sign in">
      <main>
        <h1>{`Sign in to ${useFrame().site}`}</h1>
        {error && (
          <p id="error" class="error" role="alert">
            {error}
          </p>
        )}
        <form method="post" action="/login" aria-describedby={error ? "error" : undefined}>
          {next && <input type="hidden" name="next" value={next} />}
          <label for="email">E-mail address</label>
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="username"
            required
            value={email}
            autofocus={!email || faults[0] === "email"}
            {...told("email")}
          />
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            autofocus={Boolean(email) && faults[0] !== "email"}
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
      </main>
    </Layout>
  )
}
