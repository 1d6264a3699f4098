//! The state of one element, and the queue of its events.

use std::collections::VecDeque;

use leptos::prelude::*;
use leptos::reactive::graph::Source;

/// How events change an element's state, and how the effects are executed. Implemented by each element's driver.
pub trait StateMachine: Copy + 'static {
    /// The configuration, read from the attributes.
    type Config: Clone + Send + Sync + 'static;
    /// The state.
    type State: Default + Send + Sync + 'static;
    /// An input: from the buyer, the page, the proxy or a timer.
    type Event: 'static;
    /// An output, as data.
    type Effect;

    /// The next state, and the effects to execute.
    fn step(
        config: &Self::Config,
        state: Self::State,
        event: Self::Event,
    ) -> (Self::State, Vec<Self::Effect>);

    /// Executes an effect.
    fn execute(self, config: &Self::Config, effect: Self::Effect);

    /// Called after each step, before its effects are executed.
    fn on_step(self, _config: &Self::Config, _state: &Self::State) {}
}

/// Holds the state and the configuration of one element as signals. A `Copy` handle that belongs to the element's owner:
/// once the element is unmounted, its methods do nothing.
pub struct ElementState<M: StateMachine> {
    state: RwSignal<M::State>,
    config: RwSignal<M::Config>,
    queue: StoredValue<Queue<M::Event>, LocalStorage>,
}

struct Queue<Event> {
    events: VecDeque<Event>,
    is_running: bool,
}

#[expect(
    clippy::expl_impl_clone_on_copy,
    reason = "derived, it would be limited to machines whose events are `Clone`"
)]
impl<M: StateMachine> Clone for ElementState<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: StateMachine> Copy for ElementState<M> {}

impl<M: StateMachine> ElementState<M> {
    /// Belongs to the current owner.
    pub fn new(config: M::Config, state: M::State) -> Self {
        Self {
            state: RwSignal::new(state),
            config: RwSignal::new(config),
            queue: StoredValue::new_local(Queue {
                events: VecDeque::new(),
                is_running: false,
            }),
        }
    }

    /// Applies an event to the state, then executes the effects.
    ///
    /// An effect can run code of the page, which may dispatch again (`reset()` in a `tender-created` handler). Such an
    /// event waits until all effects of the current one are executed.
    pub fn dispatch(self, machine: M, event: M::Event) {
        let was_running = self.queue.try_update_value(|queue| {
            queue.events.push_back(event);
            std::mem::replace(&mut queue.is_running, true)
        });
        if was_running != Some(false) {
            return;
        }
        while let Some(event) = self.next_event() {
            self.step(machine, event);
        }
    }

    /// Takes the next event from the queue. If there is none, the queue is no longer running.
    fn next_event(self) -> Option<M::Event> {
        self.queue.try_update_value(|queue| {
            let event = queue.events.pop_front();
            queue.is_running = event.is_some();
            event
        })?
    }

    fn step(self, machine: M, event: M::Event) {
        // Moves the state out of the signal, because a copy would be as large as all that it has loaded. `M::step` does not
        // read the signal.
        let (Some(config), Some(state)) = (
            self.config.try_get_untracked(),
            self.state.try_update_untracked(std::mem::take),
        ) else {
            return;
        };
        let (state, effects) = M::step(&config, state, event);
        machine.on_step(&config, &state);
        self.replace(state);
        for effect in effects {
            machine.execute(&config, effect);
        }
    }

    /// Replaces the state. The whole is not compared: views compare the parts that they show, with memos.
    pub fn replace(self, state: M::State) {
        self.state.try_set(state);
        // Leptos never removes subscribers that no longer exist. Those that do exist subscribe again when they run because
        // of this change.
        self.state.clear_subscribers();
    }

    /// Reads the state, and subscribes the current effect to it.
    pub fn with<T>(self, read: impl FnOnce(&M::State) -> T) -> T {
        // Reads through a guard, because `with` would be compiled again for every closure.
        read(&self.state.read())
    }

    /// Reads the state; `None` once the element is gone.
    pub fn with_untracked<T>(self, read: impl FnOnce(&M::State) -> T) -> Option<T> {
        self.state.try_with_untracked(read)
    }

    /// Reads the configuration, and subscribes the current effect to it.
    pub fn with_config<T>(self, read: impl FnOnce(&M::Config) -> T) -> T {
        read(&self.config.read())
    }

    /// Reads the configuration; `None` once the element is gone.
    pub fn config_untracked<T>(self, read: impl FnOnce(&M::Config) -> T) -> Option<T> {
        self.config.try_with_untracked(read)
    }

    /// Replaces the configuration.
    pub fn set_config(self, config: M::Config) {
        self.config.try_set(config);
    }
}
