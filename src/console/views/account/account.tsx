import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { type Me, useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { LanguageField, TimeZoneField } from "../../ui/region-fields.tsx"
import { Time } from "../../ui/time.tsx"
import { view } from "../view.ts"
import { CalendarSubscription } from "./calendar-subscription.tsx"
import { signInAgain } from "./sign-in-again.ts"
import { TwoFactor } from "./two-factor.tsx"
import "./account.css"

const NotificationPreferences = view("notifications", () => import("../notifications/preferences.tsx"))
const MyPersonalData = view("users", () => import("../users/personal-data.tsx"))

type User = DataOf<"/api/user/{id}", "get">

/** The profile of the caller; EditUser has the form. */
const Profile = ({ user }: { user: User }) => (
  <>
    <dl class="facts">
      <dt>{t("account:name")}</dt>
      <dd>{`${user.firstName} ${user.lastName}`}</dd>
      <dt>{t("account:email")}</dt>
      <dd>
        {user.email}
        {user.pendingEmail && <p class="quiet">{t("account:email.pending", { email: user.pendingEmail })}</p>}
      </dd>
      {user.membership && (
        <>
          <dt>{t("account:membership")}</dt>
          <dd>
            {user.membership.name}
            {user.membership.expiryDate && (
              <>
                {`, ${t("account:expires")} `}
                <Time value={user.membership.expiryDate} />
              </>
            )}
          </dd>
        </>
      )}
      {Object.entries(user.customUserMetas).flatMap(([key, { type, label, submitted_value }]) => [
        <dt key={`${key} label`}>{label}</dt>,
        <dd key={key}>
          {(type === "checkbox" ? submitted_value.replaceAll(",", ", ") : submitted_value) || t("none")}
        </dd>,
      ])}
    </dl>
    <a class="button" href={`/console/users/${user.id}/edit`}>
      {t("edit")}
    </a>
  </>
)

/** Changes the password, which ends all sessions. */
function PasswordForm({ userId }: { userId: number }) {
  const change = useChange({
    call: (body: { password: string; confirmPassword: string; current_password: string }) =>
      api.PUT("/api/user/updatePassword/{id}", { params: { path: { id: userId } }, body }),
    invalidates: [],
  })
  return (
    <Form
      submit={t("account:password.change")}
      onSubmit={async (values) => {
        await change.mutateAsync({
          password: String(values.form.get("password")),
          confirmPassword: String(values.form.get("confirmPassword")),
          current_password: String(values.form.get("current_password")),
        })
        signInAgain()
      }}
    >
      <p class="quiet">{t("account:password.about")}</p>
      <TextField
        name="current_password"
        type="password"
        label={t("account:password.current")}
        autocomplete="current-password"
        required
      />
      <TextField
        name="password"
        type="password"
        label={t("account:password.new")}
        autocomplete="new-password"
        required
      />
      <TextField
        name="confirmPassword"
        type="password"
        label={t("account:password.confirm")}
        autocomplete="new-password"
        required
      />
    </Form>
  )
}

/** The time zone and language of the person. The user menu has the language of this browser. */
function RegionForm({ me }: { me: Me }) {
  const change = useChange({
    call: (body: { timeZone: string; language: string }) =>
      api.PUT("/api/user/{id}", { params: { path: { id: me.id } }, body }),
    invalidates: ["/api/me", "/api/user/{id}"],
    successMessage: t("account:region.saved"),
  })
  return (
    <Form
      submit={t("save")}
      onSubmit={(values) =>
        change.mutateAsync({ timeZone: values.text("timeZone"), language: values.text("language") })
      }
    >
      <p class="quiet">{t("account:region.about")}</p>
      <TimeZoneField
        name="timeZone"
        label={t("account:zone")}
        value={me.timeZone}
        fallback={t("account:region.academy")}
      />
      <LanguageField name="language" label={t("language")} value={me.language} fallback={t("account:region.academy")} />
    </Form>
  )
}

export default function Account() {
  const me = useMe()
  const user = useRead("/api/user/{id}", { params: { path: { id: me.id } } })
  return (
    <Page title={t("account:account")}>
      <div class="in-order">
        <section class="card" aria-labelledby="profile">
          <h2 id="profile">{t("account:profile")}</h2>
          <Loaded query={user}>{(profile) => <Profile user={profile} />}</Loaded>
        </section>
        <section class="card" aria-labelledby="password">
          <h2 id="password">{t("account:password")}</h2>
          <PasswordForm userId={me.id} />
        </section>
        <section class="card" aria-labelledby="two-factor">
          <h2 id="two-factor">{t("account:two-factor")}</h2>
          <TwoFactor userId={me.id} />
        </section>
        <section class="card" aria-labelledby="region">
          <h2 id="region">{t("account:region")}</h2>
          <RegionForm me={me} />
        </section>
        <section class="card" aria-labelledby="calendar">
          <h2 id="calendar">{t("account:calendar")}</h2>
          <CalendarSubscription />
        </section>
        <NotificationPreferences />
        <MyPersonalData />
      </div>
    </Page>
  )
}
