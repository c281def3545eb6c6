import { Layout } from "./page.tsx"

interface Props {
  next?: string | undefined
  email?: string | undefined
  error?: string | undefined
  askForCode?: boolean
}

/** The login form. It works without JavaScript. */
export const LoginPage = ({ next, email, error, askForCode = false }: Props) => (
  <Layout title="Sign in">
    <main>
      <h1>Sign in to Lectern</h1>
      {error && (
        <p id="error" class="error" role="alert">
          {error}
        </p>
      )}
      <form method="post" action="/login" aria-describedby={error ? "error" : undefined}>
        {next && <input type="hidden" name="next" value={next} />}
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="username" required value={email} autofocus={!email} />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
        {askForCode && (
          <>
            <label for="code">Code from your authenticator app, or a recovery code</label>
            <input id="code" name="code" type="text" autocomplete="one-time-code" autocapitalize="none" required />
          </>
        )}
        <button type="submit">Sign in</button>
      </form>
    </main>
  </Layout>
)
