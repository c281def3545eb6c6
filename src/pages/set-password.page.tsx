import { Layout, useFrame } from "./page.tsx"

interface Props {
  /** Where the form is sent. */
  action?: string
  token: string
  /** Whose password it is: for password managers. */
  email?: string | undefined
  /** Their portal's name. */
  site?: string | null | undefined
  error?: string | undefined
  /** The fields that the error is about. */
  faults?: readonly string[]
}

/** The form of a set-password link. It works without JavaScript. The focus is on the first field: both are empty. */
export const SetPasswordPage = ({ action = "/set-password", token, email, site, error, faults = [] }: Props) => (
  <Layout title="Choose a password" site={site ?? null}>
    <main>
      <h1>Choose a password</h1>
      {email && <p>For {email}</p>}
      {error && (
        <p id="error" class="error" role="alert">
          {error}
        </p>
      )}
      <form method="post" action={action} aria-describedby={error ? "error" : undefined}>
        <input type="hidden" name="token" value={token} />
        {email && <input type="hidden" name="username" autocomplete="username" value={email} />}
        <label for="password">New password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="new-password"
          minlength={8}
          maxlength={128}
          aria-describedby={faults.includes("password") ? "error rule" : "rule"}
          aria-invalid={faults.includes("password") ? "true" : undefined}
          required
          autofocus
        />
        <p id="rule">8 to 128 characters, and not a password that everybody tries first.</p>
        <label for="password_confirmation">The same password again</label>
        <input
          id="password_confirmation"
          name="password_confirmation"
          type="password"
          autocomplete="new-password"
          aria-describedby={faults.includes("password_confirmation") ? "error" : undefined}
          aria-invalid={faults.includes("password_confirmation") ? "true" : undefined}
          required
        />
        <button type="submit">Set the password</button>
      </form>
    </main>
  </Layout>
)

/** Asks for the address of an account whose password was forgotten. It works without JavaScript. */
export const ForgottenPage = ({ email, error }: { email?: string | undefined; error?: string | undefined }) => (
  <Layout title="Forgotten password">
    <main>
      <h1>Forgotten password</h1>
      <p>We send a link with which you choose a new one. It works for an hour.</p>
      {error && (
        <p id="error" class="error" role="alert">
          {error}
        </p>
      )}
      <form method="post" action="/password/forgot" aria-describedby={error ? "error" : undefined}>
        <label for="email">Email address</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          required
          value={email}
          autofocus
          aria-invalid={error ? "true" : undefined}
        />
        <button type="submit">Send the link</button>
      </form>
      <p>
        <a href={useFrame().signIn}>Sign in</a>
      </p>
    </main>
  </Layout>
)

/** What follows the form, or stands in its place. */
export const PasswordNotice = ({ title, text, again }: { title: string; text: string; again?: boolean }) => (
  <Layout title={title}>
    <main>
      <h1>{title}</h1>
      <p>{text}</p>
      {again && (
        <p>
          <a href="/password/forgot">Ask for another link</a>
        </p>
      )}
      <p>
        <a href={useFrame().signIn}>Sign in</a>
      </p>
    </main>
  </Layout>
)
