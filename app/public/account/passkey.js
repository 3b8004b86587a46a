// Makes passkeys and signs in with them. Without this, and in a browser that has none, people sign in
// with their passwords.

const decoded = (text) => Uint8Array.from(
  atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0),
);
const encoded = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const known = (keys) => keys.map((key) => ({ ...key, id: decoded(key.id) }));

// What is asked, with bytes where JSON has text, and what was answered, with text again. Browsers
// have their own ways for both since 2025 only, and managers of passwords put others in their place.
const make = async ({ challenge, user, excludeCredentials, ...options }) => {
  const publicKey = {
    ...options,
    challenge: decoded(challenge),
    user: { ...user, id: decoded(user.id) },
    excludeCredentials: known(excludeCredentials),
  };
  const made = await navigator.credentials.create({ publicKey });
  return written(made, ({ attestationObject, getTransports }) => ({
    attestationObject: encoded(attestationObject),
    transports: getTransports?.call(made.response) ?? [],
  }));
};
const use = async ({ challenge, allowCredentials, ...options }) => {
  const publicKey = {
    ...options, challenge: decoded(challenge), allowCredentials: known(allowCredentials),
  };
  const used = await navigator.credentials.get({ publicKey });
  return written(used, ({ authenticatorData, signature, userHandle }) => ({
    authenticatorData: encoded(authenticatorData),
    signature: encoded(signature),
    userHandle: userHandle && encoded(userHandle),
  }));
};
const written = (key, own) => JSON.stringify({
  id: key.id,
  rawId: encoded(key.rawId),
  type: key.type,
  authenticatorAttachment: key.authenticatorAttachment ?? undefined,
  response: { clientDataJSON: encoded(key.response.clientDataJSON), ...own(key.response) },
  clientExtensionResults: {},
});

// Why the server or the browser said no.
const refused = ({ App: why }) => why?.Invalid?.problem ?? why?.Denied ?? why?.Conflict
  ?? (why?.TooManyAttempts && `too many attempts; try again in ${why.TooManyAttempts.seconds} seconds`)
  ?? (why === 'SignInRequired' ? 'please sign in' : 'the server is busy; try again in a moment');
const WHY = {
  NotAllowedError: 'cancelled, or no matching passkey on this device',
  InvalidStateError: 'this device already has a passkey for your account',
  SecurityError: 'passkeys work only at this site’s own address',
  SyntaxError: 'the server cannot be reached',
  TypeError: 'the server cannot be reached',
};

const ask = async (form, present) => {
  const body = new URLSearchParams(present ? { present: present.value } : {});
  const answer = await fetch(form.dataset.passkey, { method: 'POST', body });
  const said = await answer.json();
  if (!answer.ok) throw new Error(refused(said));
  const options = JSON.parse(said.options);
  return { state: said.state, answer: await (options.user ? make : use)(options) };
};

for (const form of window.PublicKeyCredential ? document.querySelectorAll('[data-passkey]') : []) {
  const { present, state, answer } = form.elements;
  const said = form.querySelector('[data-said]');
  const button = form.querySelector('button');
  form.hidden = false;
  form.parentElement.querySelector('[data-without]')?.remove();
  let isAnswered = false;
  form.addEventListener('submit', async (event) => {
    if (isAnswered) return;
    event.preventDefault();
    event.stopPropagation();
    said.textContent = '';
    button.disabled = true;
    try {
      const given = await ask(form, present);
      [state.value, answer.value, isAnswered] = [given.state, given.answer, true];
      // The password has been seen.
      if (present) present.disabled = true;
      form.requestSubmit();
    } catch ({ name, message }) {
      const why = WHY[name] ?? message;
      said.textContent = `${why[0].toUpperCase()}${why.slice(1)}.`;
    }
    // Whoever comes back to the page begins anew.
    [state.value, answer.value, isAnswered, button.disabled] = ['', '', false, false];
    if (present) present.disabled = false;
  });
}
