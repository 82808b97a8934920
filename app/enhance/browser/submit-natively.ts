/**
 * Submits a form as a browser without scripts does, without another `submit` event. The pressed button's name and value are sent too: `Edit`
 * must not arrive as `Confirm`. Not `requestSubmit`, which Safari knows from 16 on.
 */
export function submitNatively(form: HTMLFormElement, submitter: HTMLElement | null): void {
  if (submitter instanceof HTMLButtonElement && submitter.name !== "") {
    const { name, value } = submitter;
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  HTMLFormElement.prototype.submit.call(form);
}
