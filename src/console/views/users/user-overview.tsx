import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { canEditUser, hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Time } from "../../ui/time.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { BlockedDeletionDialog, type DeletionResult } from "./blocked-deletion.tsx"
import { PersonalData } from "./personal-data.tsx"
import { MembershipPicker } from "./pickers.tsx"
import type { User } from "./user-fields.tsx"
import { USER_QUERIES, useDeleteUsers, useSetSuspended } from "./user-mutations.ts"

const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

/** The value of a custom field, with option labels. */
const displayValue = ({ type, submitted_value, option_label, option_value }: User["customUserMetas"][string]) =>
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

/** Two-factor status, if the caller may see it. */
function useTwoFactor({ id, userType }: User) {
  const me = useMe()
  return useRead(
    "/api/user-meta/2fa",
    { params: { query: { user_id: id } } },
    { enabled: canEditUser(me, userType) || me.id === id },
  )
}

function Profile({ user }: { user: User }) {
  const twoFactor = useTwoFactor(user)
  const types = useRead("/api/userType/lookup")
  const portals = useRead("/api/user/portals", { params: { query: { userId: user.id } } })
  const role = types.data?.find(({ db_value }) => db_value === user.userType)?.display_name ?? user.userType
  return (
    <section class="card" aria-labelledby="user-profile">
      <h2 id="user-profile">{t("users:profile")}</h2>
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
            {displayValue(meta)}
          </Fact>
        ))}
        {user.internal_note && <Fact name={t("users:note")}>{user.internal_note}</Fact>}
      </dl>
    </section>
  )
}

function Learning({ id }: { id: number }) {
  const statistics = useRead("/api/user/dashboard/statistics", { params: { query: { user_id: id } } })
  return (
    <section class="card" aria-labelledby="learning">
      <h2 id="learning">{t("users:learning")}</h2>
      <Loaded query={statistics}>
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
  const setPassword = useChange({
    call: (body: { password: string; confirmPassword: string; current_password?: string }) =>
      api.PUT("/api/user/updatePassword/{id}", { params: { path: { id: user.id } }, body }),
    invalidates: ["/api/session"],
  })
  return (
    <Dialog title={t("users:password.title")} onClose={onClose}>
      <Form
        submit={t("save")}
        onSubmit={async ({ form }) => {
          await setPassword.mutateAsync({
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
  const assign = useChange({
    call: (body: { id: number; expired_at?: string }) =>
      api.PUT("/api/user/{id}/update-membership", { params: { path: { id: user.id } }, body }),
    invalidates: USER_QUERIES,
  })
  return (
    <Dialog title={t("users:membership.title")} onClose={onClose}>
      <Form
        submit={t("save")}
        onSubmit={async (values) => {
          const expired_at = values.optional("expired_at")
          await assign.mutateAsync({ id: values.number("id") ?? 0, ...(expired_at && { expired_at }) })
          onClose()
        }}
      >
        <MembershipPicker name="id" value={user.membership ?? undefined} required />
        <TextField name="expired_at" type="date" label={t("users:expires")} hint={t("users:membership.hint")} />
      </Form>
    </Dialog>
  )
}

type Action = "disable" | "enable" | "invite" | "password" | "membership" | "revoke" | "two-factor" | "delete"

/** An expiry date in the past revokes a membership. */
const PAST_DATE = "2000-01-01"

function AccountActions({ user }: { user: User }) {
  const me = useMe()
  const go = useNavigate()
  const { id } = user
  const [open, setOpen] = useState<Action>()
  const [blockedDeletion, setBlockedDeletion] = useState<DeletionResult>()
  const close = () => setOpen(undefined)
  const suspend = useSetSuspended()
  const remove = useDeleteUsers()
  const invite = useChange({
    call: () => api.POST("/api/email/resendNewAccountEmail", { body: { user_id: id } }),
    invalidates: ["/api/session"],
  })
  const resetTwoFactor = useChange({
    call: () => api.POST("/api/user/disableTwoFactorAuth", { body: { user_id: id } }),
    invalidates: ["/api/user-meta", "/api/session"],
  })
  const revoke = useChange({
    call: (membershipId: number) =>
      api.PUT("/api/user/{id}/update-membership", {
        params: { path: { id } },
        body: { id: membershipId, expired_at: PAST_DATE },
      }),
    invalidates: USER_QUERIES,
  })
  const twoFactor = useTwoFactor(user)
  const { membership } = user
  const isSelf = me.id === id
  const canEdit = canEditUser(me, user.userType)
  if (!canEdit && !isSelf) return null
  const setDisabled = async (disabled: boolean) => {
    await suspend.mutateAsync({ ids: [id], disabled })
  }
  const messageParams = { count: 1, shown: 1 }
  const button = (action: Action, label: string, kind?: string) => (
    <button type="button" class={kind} onClick={() => setOpen(action)}>
      {label}
    </button>
  )
  return (
    <section class="card" aria-labelledby="account">
      <h2 id="account">{t("users:account")}</h2>
      <div class="actions">
        {button("password", t("users:password.title"))}
        {canEdit && button("invite", t("users:invite"))}
        {hasAccess(me, "admin") && button("membership", t("users:membership.title"))}
        {hasAccess(me, "admin") && user.membership && button("revoke", t("users:membership.revoke"))}
        {canEdit && twoFactor.data?.is2FactorAuthActive && button("two-factor", t("users:two-factor.reset"))}
        {canEdit &&
          !isSelf &&
          (user.disabled ? button("enable", t("users:reactivate")) : button("disable", t("users:suspend")))}
        {hasAccess(me, "admin") && canEdit && !isSelf && button("delete", t("delete"), "danger")}
      </div>
      {open === "password" && <PasswordDialog user={user} onClose={close} />}
      {open === "membership" && <MembershipDialog user={user} onClose={close} />}
      {(open === "disable" || open === "enable") && (
        <ConfirmDialog
          title={
            open === "disable" ? t("users:suspend.title", messageParams) : t("users:reactivate.title", messageParams)
          }
          confirm={open === "disable" ? t("users:suspend") : t("users:reactivate")}
          onClose={close}
          onConfirm={() => setDisabled(open === "disable")}
        >
          <p>{open === "disable" ? t("users:suspend.text") : t("users:reactivate.text")}</p>
        </ConfirmDialog>
      )}
      {open === "invite" && (
        <ConfirmDialog
          title={t("users:invite")}
          confirm={t("users:invite.send")}
          onClose={close}
          onConfirm={() => invite.mutateAsync(undefined)}
        >
          <p>{t("users:invite.text", { email: user.email })}</p>
        </ConfirmDialog>
      )}
      {open === "revoke" && membership && (
        <ConfirmDialog
          title={t("users:membership.revoke")}
          confirm={t("users:membership.revoke")}
          onClose={close}
          onConfirm={() => revoke.mutateAsync(membership.id)}
        >
          <p>{t("users:membership.revoke.text", { name: membership.name })}</p>
        </ConfirmDialog>
      )}
      {open === "two-factor" && (
        <ConfirmDialog
          title={t("users:two-factor.reset")}
          confirm={t("users:two-factor.reset")}
          onClose={close}
          onConfirm={() => resetTwoFactor.mutateAsync(undefined)}
        >
          <p>{t("users:two-factor.reset.text")}</p>
        </ConfirmDialog>
      )}
      {open === "delete" && (
        <ConfirmDialog
          title={t("users:delete.title", messageParams)}
          confirm={t("delete")}
          onClose={close}
          onConfirm={async () => {
            const result = await remove.mutateAsync([id])
            if (result.notDeletedStudents.length > 0) setBlockedDeletion(result)
            else go("/users")
          }}
        >
          <p>{t("users:delete.text")}</p>
          <p>{t("irreversible")}</p>
        </ConfirmDialog>
      )}
      {blockedDeletion && (
        <BlockedDeletionDialog
          result={blockedDeletion}
          onClose={() => setBlockedDeletion(undefined)}
          onDeleted={() => go("/users")}
        />
      )}
    </section>
  )
}

/** Profile, learning statistics, account actions and personal data of a user. */
export function UserOverview({ user }: { user: User }) {
  const me = useMe()
  const isSelf = me.id === user.id
  const canErase = hasAccess(me, "admin") && canEditUser(me, user.userType) && !isSelf
  const { id, email } = user
  return (
    <div class="in-order">
      <div class="cards in-order">
        <Profile user={user} />
        <Learning id={id} />
      </div>
      <AccountActions user={user} />
      {(canErase || isSelf) && (
        <PersonalData user={{ id, email, name: `${user.firstName} ${user.lastName}`.trim() }} canErase={canErase} />
      )}
    </div>
  )
}
