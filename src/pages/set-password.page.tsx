import { Layout, useFrame } from "./page.tsx"

interface Props {
  /** The URL of the form. */
  action?: string
  token: string
  /** The user's email, for password managers. */
  email?: string | undefined
  /** The name of the user's portal. */
  site?: string | null | undefined
  error?: string | undefined
  /** The fields with errors. */
  faults?: readonly string[]
}

/** The form behind a set-password link. It works without JavaScript. */
export const SetPasswordPage = ({ action = "/set-password", token, email, site, error, faults = [] }: Props) => (
  <Layout title="Set your password" site={site ?? null}>
    <main>
      <h1>Set your password</h1>
      {email && <p class="quiet">For {email}</p>}
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
        <p id="rule" class="hint">
          At least 8 characters. Avoid common passwords.
        </p>
        <label for="password_confirmation">Confirm password</label>
        <input
          id="password_confirmation"
          name="password_confirmation"
          type="password"
          autocomplete="new-password"
          aria-describedby={faults.includes("password_confirmation") ? "error" : undefined}
          aria-invalid={faults.includes("password_confirmation") ? "true" : undefined}
          required
        />
        <button type="submit">Set password</button>
      </form>
    </main>
  </Layout>
)

/** Asks for the email address of an account with a forgotten password. It works without JavaScript. */
export const ForgottenPage = ({ email, error }: { email?: string | undefined; error?: string | undefined }) => (
  <Layout title="Reset your password">
    <main>
      <h1>Reset your password</h1>
      <p>We'll email you a reset link. It's valid for 1 hour.</p>
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
        <button type="submit">Send reset link</button>
      </form>
      <p>
        <a href={useFrame().signIn}>Sign in</a>
      </p>
    </main>
  </Layout>
)

/** The page after the form, or instead of it. */
export const PasswordNotice = ({ title, text, again }: { title: string; text: string; again?: boolean }) => (
  <Layout title={title}>
    <main>
      <h1>{title}</h1>
      <p>{text}</p>
      {again && (
        <p>
          <a href="/password/forgot">Request a new link</a>
        </p>
      )}
      <p>
        <a href={useFrame().signIn}>Sign in</a>
      </p>
    </main>
  </Layout>
)
