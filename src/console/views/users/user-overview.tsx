import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { may, mayEdit, useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Confirm, Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Time } from "../../ui/time.tsx"
import { useGo } from "../../ui/url-state.ts"
import { type Deletion, Kept } from "./blocked-deletion.tsx"
import { PersonalData } from "./personal-data.tsx"
import { MembershipPicker } from "./pickers.tsx"
import type { User } from "./user-fields.tsx"
import { PEOPLE, useDeleteUsers, useDisable } from "./user-mutations.ts"

const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

/** A custom field's value in the words of its options. */
const answerOf = ({ type, submitted_value, option_label, option_value }: User["customUserMetas"][string]) =>
  type === "date" ? (
    <Time value={submitted_value} />
  ) : option_value && submitted_value ? (
    submitted_value
      .split(",")
      .map((value) => option_label?.[option_value.indexOf(value)] ?? value)
      .join(", ")
  ) : (
    submitted_value || t("none")
  )

/** Whether two-factor authentication is on, for those who may know. */
function useTwoFactor({ id, userType }: User) {
  const me = useMe()
  return useRead(
    "/api/user-meta/2fa",
    { params: { query: { user_id: id } } },
    { enabled: mayEdit(me, userType) || me.id === id },
  )
}

function Facts({ user }: { user: User }) {
  const twoFactor = useTwoFactor(user)
  const types = useRead("/api/userType/lookup")
  const portals = useRead("/api/user/portals", { params: { query: { userId: user.id } } })
  const role = types.data?.find(({ db_value }) => db_value === user.userType)?.display_name ?? user.userType
  return (
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">{t("users:profile")}</h2>
      <dl class="facts">
        <Fact name={t("users:email")}>{user.email}</Fact>
        <Fact name={t("users:role")}>{role}</Fact>
        <Fact name={t("users:account-status")}>{user.disabled ? t("users:suspended") : t("users:active")}</Fact>
        <Fact name={t("users:last-login")}>{user.lastLoggedIn}</Fact>
        <Fact name={t("users:membership")}>
          {user.membership?.name ?? t("none")}
          {user.membership?.expiryDate && (
            <>
              {" · "}
              {t("users:expires")} <Time value={user.membership.expiryDate} />
            </>
          )}
        </Fact>
        {twoFactor.data && (
          <Fact name={t("users:two-factor")}>
            {twoFactor.data.is2FactorAuthActive ? t("users:two-factor.on") : t("users:two-factor.off")}
          </Fact>
        )}
        <Fact name={t("users:portals")}>{portals.data?.portals.map(({ name }) => name).join(", ") || t("none")}</Fact>
        {Object.entries(user.customUserMetas).map(([key, meta]) => (
          <Fact key={key} name={meta.label}>
            {answerOf(meta)}
          </Fact>
        ))}
        {user.internal_note && <Fact name={t("users:note")}>{user.internal_note}</Fact>}
      </dl>
    </section>
  )
}

/** Counts of their courses, and the time that they spent. */
function Learning({ id }: { id: number }) {
  const statistics = useRead("/api/user/dashboard/statistics", { params: { query: { user_id: id } } })
  return (
    <section class="card" aria-labelledby="learning">
      <h2 id="learning">{t("users:learning")}</h2>
      <Loaded of={statistics}>
        {({ totalCourses, completedCourses, inProgressCourses, notStartedCourses, timeSpent }) => (
          <dl class="facts">
            <Fact name={t("users:courses")}>{number(totalCourses)}</Fact>
            <Fact name={t("status.completed")}>{number(completedCourses)}</Fact>
            <Fact name={t("status.in-progress")}>{number(inProgressCourses)}</Fact>
            <Fact name={t("status.not-started")}>{number(notStartedCourses)}</Fact>
            <Fact name={t("users:time-spent")}>
              {t("users:hours", { hours: number(timeSpent.hours), minutes: number(timeSpent.minutes) })}
            </Fact>
          </dl>
        )}
      </Loaded>
    </section>
  )
}

function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const me = useMe()
  const isSelf = me.id === user.id
  const set = useChange({
    call: (body: { password: string; confirmPassword: string; current_password?: string }) =>
      api.PUT("/api/user/updatePassword/{id}", { params: { path: { id: user.id } }, body }),
    changes: ["/api/session"],
  })
  return (
    <Dialog title={t("users:password.title")} onClose={onClose}>
      <Form
        submit={t("save")}
        onSubmit={async ({ form }) => {
          await set.mutateAsync({
            password: String(form.get("password")),
            confirmPassword: String(form.get("confirmPassword")),
            ...(isSelf && { current_password: String(form.get("current_password")) }),
          })
          onClose()
        }}
      >
        <p>{t("users:password.text")}</p>
        {isSelf && (
          <TextField
            name="current_password"
            type="password"
            label={t("users:own-password")}
            required
            autocomplete="current-password"
          />
        )}
        <TextField
          name="password"
          type="password"
          label={t("users:password")}
          hint={t("users:password.hint")}
          required
          autocomplete="new-password"
        />
        <TextField
          name="confirmPassword"
          type="password"
          label={t("users:password.confirm")}
          required
          autocomplete="new-password"
        />
      </Form>
    </Dialog>
  )
}

function MembershipDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const give = useChange({
    call: (body: { id: number; expired_at?: string }) =>
      api.PUT("/api/user/{id}/update-membership", { params: { path: { id: user.id } }, body }),
    changes: PEOPLE,
  })
  return (
    <Dialog title={t("users:membership.title")} onClose={onClose}>
      <Form
        submit={t("save")}
        onSubmit={async (values) => {
          const expired_at = values.optional("expired_at")
          await give.mutateAsync({ id: values.number("id") ?? 0, ...(expired_at && { expired_at }) })
          onClose()
        }}
      >
        <MembershipPicker name="id" value={user.membership ?? undefined} required />
        <TextField name="expired_at" type="date" label={t("users:expires")} hint={t("users:membership.hint")} />
      </Form>
    </Dialog>
  )
}

type Asked = "disable" | "enable" | "invite" | "password" | "membership" | "revoke" | "two-factor" | "delete"

/** An expiry that is past takes a membership away. */
const LONG_AGO = "2000-01-01"

/** What can be done with an account, by those who may. */
function Acts({ user }: { user: User }) {
  const me = useMe()
  const go = useGo()
  const { id } = user
  const [asked, ask] = useState<Asked>()
  const [kept, setKept] = useState<Deletion>()
  const close = () => ask(undefined)
  const disable = useDisable()
  const remove = useDeleteUsers()
  const invite = useChange({
    call: () => api.POST("/api/email/resendNewAccountEmail", { body: { user_id: id } }),
    changes: ["/api/session"],
  })
  const endTwoFactor = useChange({
    call: () => api.POST("/api/user/disableTwoFactorAuth", { body: { user_id: id } }),
    changes: ["/api/user-meta", "/api/session"],
  })
  const revoke = useChange({
    call: (membershipId: number) =>
      api.PUT("/api/user/{id}/update-membership", {
        params: { path: { id } },
        body: { id: membershipId, expired_at: LONG_AGO },
      }),
    changes: PEOPLE,
  })
  const twoFactor = useTwoFactor(user)
  const { membership } = user
  const isSelf = me.id === id
  const mayChange = mayEdit(me, user.userType)
  if (!mayChange && !isSelf) return null
  const setDisabled = async (disabled: boolean) => {
    await disable.mutateAsync({ ids: [id], disabled })
  }
  const gaps = { count: 1, shown: 1 }
  const button = (act: Asked, label: string, kind?: string) => (
    <button type="button" class={kind} onClick={() => ask(act)}>
      {label}
    </button>
  )
  return (
    <section class="card" aria-labelledby="account">
      <h2 id="account">{t("users:account")}</h2>
      <div class="actions">
        {button("password", t("users:password.title"))}
        {mayChange && button("invite", t("users:invite"))}
        {may(me, "admin") && button("membership", t("users:membership.title"))}
        {may(me, "admin") && user.membership && button("revoke", t("users:membership.revoke"))}
        {mayChange && twoFactor.data?.is2FactorAuthActive && button("two-factor", t("users:two-factor.reset"))}
        {mayChange &&
          !isSelf &&
          (user.disabled ? button("enable", t("users:reactivate")) : button("disable", t("users:suspend")))}
        {may(me, "admin") && mayChange && !isSelf && button("delete", t("delete"), "danger")}
      </div>
      {asked === "password" && <PasswordDialog user={user} onClose={close} />}
      {asked === "membership" && <MembershipDialog user={user} onClose={close} />}
      {(asked === "disable" || asked === "enable") && (
        <Confirm
          title={asked === "disable" ? t("users:suspend.title", gaps) : t("users:reactivate.title", gaps)}
          confirm={asked === "disable" ? t("users:suspend") : t("users:reactivate")}
          onClose={close}
          onConfirm={() => setDisabled(asked === "disable")}
        >
          <p>{asked === "disable" ? t("users:suspend.text") : t("users:reactivate.text")}</p>
        </Confirm>
      )}
      {asked === "invite" && (
        <Confirm
          title={t("users:invite")}
          confirm={t("users:invite.send")}
          onClose={close}
          onConfirm={() => invite.mutateAsync(undefined)}
        >
          <p>{t("users:invite.text", { email: user.email })}</p>
        </Confirm>
      )}
      {asked === "revoke" && membership && (
        <Confirm
          title={t("users:membership.revoke")}
          confirm={t("users:membership.revoke")}
          onClose={close}
          onConfirm={() => revoke.mutateAsync(membership.id)}
        >
          <p>{t("users:membership.revoke.text", { name: membership.name })}</p>
        </Confirm>
      )}
      {asked === "two-factor" && (
        <Confirm
          title={t("users:two-factor.reset")}
          confirm={t("users:two-factor.reset")}
          onClose={close}
          onConfirm={() => endTwoFactor.mutateAsync(undefined)}
        >
          <p>{t("users:two-factor.reset.text")}</p>
        </Confirm>
      )}
      {asked === "delete" && (
        <Confirm
          title={t("users:delete.title", gaps)}
          confirm={t("delete")}
          onClose={close}
          onConfirm={async () => {
            const deletion = await remove.mutateAsync([id])
            if (deletion.notDeletedStudents.length > 0) setKept(deletion)
            else go("/users")
          }}
        >
          <p>{t("users:delete.text")}</p>
          <p>{t("irreversible")}</p>
        </Confirm>
      )}
      {kept && <Kept of={kept} onClose={() => setKept(undefined)} onDeleted={() => go("/users")} />}
    </section>
  )
}

/** Who they are, how their learning stands, and what can be done with their account and their data. */
export function UserOverview({ user }: { user: User }) {
  const me = useMe()
  const isSelf = me.id === user.id
  const mayErase = may(me, "admin") && mayEdit(me, user.userType) && !isSelf
  const { id, email } = user
  return (
    <div class="in-order">
      <div class="cards in-order">
        <Facts user={user} />
        <Learning id={id} />
      </div>
      <Acts user={user} />
      {(mayErase || isSelf) && (
        <PersonalData user={{ id, email, name: `${user.firstName} ${user.lastName}`.trim() }} mayErase={mayErase} />
      )}
    </div>
  )
}
