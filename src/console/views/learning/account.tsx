import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useMe } from "../../api/me.tsx"
import { useChange, useRecord, type Versioned } from "../../api/queries.ts"
import { LANGUAGES, t, timeZone, useLanguage } from "../../messages/messages.ts"
import { Form, TextField } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { Loaded } from "../../ui/problem.tsx"
import { signInAnew } from "./parts.tsx"
import { TwoFactor } from "./two-factor.tsx"

type User = DataOf<"/api/user/{id}", "get">

const OwnPassword = ({ required = false }: { required?: boolean }) => (
  <TextField
    name="current_password"
    type="password"
    label={t("learning:password.current")}
    {...(!required && { hint: t("learning:password.for-email") })}
    autocomplete="current-password"
    required={required}
  />
)

/** Name and address. Another address ends the sessions. */
function Profile({ of: { record, version } }: { of: Versioned<User> }) {
  const change = useChange({
    call: (body: { firstName: string; lastName: string; email: string; current_password?: string }) =>
      api.PUT("/api/user/{id}", {
        params: { path: { id: record.id } },
        headers: { "if-match": version },
        body,
      }),
    changes: ["/api/me", "/api/user/{id}"],
    done: t("saved"),
  })
  return (
    <Form
      submit={t("save")}
      onSubmit={async (values) => {
        const email = values.text("email")
        const moves = email !== record.email
        await change.mutateAsync({
          firstName: values.text("firstName"),
          lastName: values.text("lastName"),
          email,
          ...(moves && { current_password: values.text("current_password") }),
        })
        if (moves) signInAnew()
      }}
    >
      <TextField
        name="firstName"
        label={t("learning:first-name")}
        defaultValue={record.firstName}
        autocomplete="given-name"
        maxLength={100}
        required
      />
      <TextField
        name="lastName"
        label={t("learning:last-name")}
        defaultValue={record.lastName}
        autocomplete="family-name"
        maxLength={100}
      />
      <TextField
        name="email"
        type="email"
        label={t("learning:email")}
        defaultValue={record.email}
        autocomplete="email"
        maxLength={254}
        required
      />
      <OwnPassword />
    </Form>
  )
}

/** A new password, which ends every session. */
function Password({ userId }: { userId: number }) {
  const change = useChange({
    call: (body: { password: string; confirmPassword: string; current_password: string }) =>
      api.PUT("/api/user/updatePassword/{id}", { params: { path: { id: userId } }, body }),
    changes: [],
  })
  return (
    <Form
      submit={t("learning:password.change")}
      onSubmit={async (values) => {
        await change.mutateAsync({
          password: String(values.form.get("password")),
          confirmPassword: String(values.form.get("confirmPassword")),
          current_password: String(values.form.get("current_password")),
        })
        signInAnew()
      }}
    >
      <p class="quiet">{t("learning:password.about")}</p>
      <OwnPassword required />
      <TextField
        name="password"
        type="password"
        label={t("learning:password.new")}
        autocomplete="new-password"
        required
      />
      <TextField
        name="confirmPassword"
        type="password"
        label={t("learning:password.again")}
        autocomplete="new-password"
        required
      />
    </Form>
  )
}

/** The caller's own account. */
export default function Account() {
  const me = useMe()
  const language = useLanguage()
  const user = useRecord("/api/user/{id}", { params: { path: { id: me.id } } })
  return (
    <Page
      title={t("learning:account")}
      actions={
        <a class="button" href="/console/sessions">
          {t("nav.sessions")}
        </a>
      }
    >
      <section class="card" aria-labelledby="profile">
        <h2 id="profile">{t("learning:profile")}</h2>
        <Loaded of={user}>{(of) => <Profile key={of.version} of={of} />}</Loaded>
      </section>
      <section class="card" aria-labelledby="password">
        <h2 id="password">{t("learning:password")}</h2>
        <Password userId={me.id} />
      </section>
      <section class="card" aria-labelledby="two-factor">
        <h2 id="two-factor">{t("learning:two-factor")}</h2>
        <TwoFactor userId={me.id} />
      </section>
      <section class="card" aria-labelledby="here">
        <h2 id="here">{t("learning:here")}</h2>
        <dl class="facts">
          <dt>{t("language")}</dt>
          <dd lang={language}>{LANGUAGES[language]}</dd>
          <dt>{t("learning:zone")}</dt>
          <dd>{timeZone}</dd>
        </dl>
        <p class="quiet">{t("learning:here.about")}</p>
      </section>
    </Page>
  )
}
