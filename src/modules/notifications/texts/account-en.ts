import type { AccountTexts } from "./text-catalog.ts"

const text = (subject: string, ...paragraphs: string[]) => ({ subject, body: paragraphs.join("\n\n") })

const NOT_YOU = "If you didn't make this change, contact an administrator."

export const ENGLISH_ACCOUNT: AccountTexts = {
  greeting: "Hello {{first_name}},",
  greetingWithoutName: "Hello,",
  kinds: {
    welcome: text(
      "Welcome to {{academy}}",
      "An account was created for you at {{academy}}. Sign in with this email address and " +
        "the password that you received.",
      "[Sign in]({{url}})",
    ),
    email_confirm: text(
      "Confirm your email address for {{academy}}",
      "Someone, most likely you, asked to use this email address for their account at {{academy}}.",
      "[Confirm email address]({{url}})",
      "The link works once and expires in 24 hours. If you didn't ask for this, ignore this email.",
    ),
    email_taken: text(
      "Your account at {{academy}}",
      "Someone, most likely you, asked to use this email address for another account at {{academy}}. " +
        "It already belongs to your account, so nothing was changed.",
    ),
    email_changed: text(
      "Your email address for {{academy}} was changed",
      "The email address of your account at {{academy}} was changed. You can no longer sign in with this address.",
      `If you made this change, no action is needed. ${NOT_YOU}`,
    ),
    sign_up_confirm: text(
      "Confirm your email address for {{academy}}",
      "Someone, most likely you, signed up at {{academy}} with this email address.",
      "[Confirm email and set password]({{url}})",
      "The link works once and expires in 2 days. If you didn't sign up, ignore this email: no account is created.",
    ),
    sign_up_exists: text(
      "Your account at {{academy}}",
      "Someone, most likely you, signed up at {{academy}} with this email address. An " +
        "account with it already exists: " +
        "sign in, or reset your password if you forgot it.",
      "[Reset password]({{url}})",
    ),
    password_reset: text(
      "Reset your password for {{academy}}",
      "Someone, most likely you, requested a password reset for your account at {{academy}}.",
      "[Reset password]({{url}})",
      "The link works once and expires in 1 hour. Resetting your password signs you out on all devices. " +
        "If you didn't request this, ignore this email: your password won't change.",
    ),
    password_temporary: text(
      "Your temporary password for {{academy}}",
      "Here is a temporary password for your account at {{academy}}. It works once and expires in 2 days. " +
        "Sign in with it to set your own password.",
      "**{{password}}**",
      "[Sign in]({{url}})",
      "Your previous password no longer works.",
    ),
    password_changed: text(
      "Your password for {{academy}} was changed",
      "The password of your account at {{academy}} was changed. All devices were signed out.",
      "[Reset password]({{url}})",
      "If you made this change, no action is needed. If you didn't, reset your password and contact an administrator.",
    ),
    provider_sign_in: text(
      "Sign in to {{academy}}",
      "Someone, most likely you, requested a password reset for your account at {{academy}}. You don't need a " +
        "password: you sign in with {{provider}}.",
      "[Sign in with {{provider}}]({{url}})",
    ),
    provider_linked: text(
      "You now sign in to {{academy}} with {{provider}}",
      "Your account at {{academy}} was linked to {{provider}}. Its email address had not " +
        "been verified before, so its " +
        "password, devices, API keys and two-factor authentication were revoked.",
      NOT_YOU,
    ),
    cart_reminder: text(
      "You left items in your cart at {{academy}}",
      "Your cart contains:",
      "{{items}}",
      "Total: {{total}}",
      "If you already bought these items or no longer want them, ignore this email.",
    ),
    webhook_gone: text(
      "A webhook was disabled",
      "The webhook at {{host}} was disabled.",
      "The receiver responded with 410 (Gone).",
      "When you enable it again, it receives the events of up to the last 30 days that it missed.",
    ),
    webhook_failing: text(
      "A webhook was disabled",
      "The webhook at {{host}} was disabled.",
      "No event could be delivered for 3 days.",
      "When you enable it again, it receives the events of up to the last 30 days that it missed.",
    ),
  },
}
