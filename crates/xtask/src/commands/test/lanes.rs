//! Runs tasks at the same time.

use std::io::{BufRead as _, BufReader};
use std::process::{self, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::{io, thread};

use anyhow::{Context as _, Result, bail};
use xshell::cmd;

use super::report::Report;
use super::task::Task;
use crate::workspace::Workspace;

/// How many tasks run at the same time. Two keep two processors busy; with three, tests wait for a processor.
const LANES: usize = 2;

/// What a task did.
enum TaskEvent {
    Line(Task, String),
    End(Task, io::Result<ExitStatus>),
}

/// The running tasks, each in a process of its own.
pub(super) struct Lanes<'a> {
    pub(super) report: Report,
    workspace: &'a Workspace,
    running: Vec<Task>,
    done: Vec<Task>,
    sender: Sender<TaskEvent>,
    events: Receiver<TaskEvent>,
}

impl<'a> Lanes<'a> {
    pub(super) fn new(workspace: &'a Workspace) -> Self {
        let (sender, events) = mpsc::channel();
        Self {
            report: Report::default(),
            workspace,
            running: Vec::new(),
            done: Vec::new(),
            sender,
            events,
        }
    }

    /// Runs these tasks that were not started before, and prints the output of all. After a failure, those that run are
    /// finished, and no other is started.
    pub(super) fn run(&mut self, tasks: &[Task]) -> Result<()> {
        let mut failed = Vec::new();
        loop {
            while failed.is_empty()
                && self.running.len() < LANES
                && let Some(task) = next(tasks, &self.running, &self.done)
            {
                self.start(task)?;
            }
            if self.running.is_empty() {
                break;
            }
            match self.events.recv()? {
                TaskEvent::Line(task, line) => {
                    println!("{task:>8} | {line}");
                    self.report.read(task, &line);
                }
                TaskEvent::End(task, status) => {
                    let status = status?;
                    println!("{task:>8} | ended ({status})");
                    self.report.end(task);
                    self.running.retain(|other| *other != task);
                    self.done.push(task);
                    if !status.success() {
                        failed.push(task);
                    }
                }
            }
        }
        if failed.is_empty() {
            return Ok(());
        }
        println!("{}", self.report);
        for task in &failed {
            println!("\n==> {task} failed");
            if let Some(failures) = self.report.failures(*task) {
                print!("{failures}");
            }
        }
        let mut steps: Vec<_> = failed.iter().map(|task| task.step().to_string()).collect();
        steps.sort_unstable();
        steps.dedup();
        let steps = steps.join(" ");
        bail!("failed: {steps} (run it again alone with `cargo xtask test {steps}`)")
    }

    pub(super) fn start(&mut self, task: Task) -> Result<()> {
        println!("\n==> {task}: {}", task.about());
        self.running.push(task);
        self.report.begin(task);
        spawn(self.workspace, task, self.sender.clone())
    }
}

/// The first of these tasks that can start.
fn next(tasks: &[Task], running: &[Task], done: &[Task]) -> Option<Task> {
    let mut waiting = tasks.to_vec();
    waiting.retain(|task| !running.contains(task) && !done.contains(task));
    let ready = |task: &&Task| task.may_start(running, &waiting);
    waiting.iter().find(ready).copied()
}

fn spawn(workspace: &Workspace, task: Task, events: Sender<TaskEvent>) -> Result<()> {
    // This program: the tests build it again, so that its file may be another one by now.
    let this = format!("/proc/{}/exe", process::id());
    let name = task.to_string();
    let mut command = Command::from(cmd!(workspace.sh, "{this} task {name}"));
    // Output and errors together, as in a terminal.
    let (output, input) = io::pipe()?;
    command.stdin(Stdio::null());
    command.stdout(input.try_clone()?).stderr(input);
    let mut child = command.spawn().context("the task can't be started")?;
    drop(command);
    thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
            // The receiver is gone if another task could not be started.
            let _ = events.send(TaskEvent::Line(task, line));
        }
        let _ = events.send(TaskEvent::End(task, child.wait()));
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_start_when_everything_is_compiled() {
        let tasks = [
            Task::Programs,
            Task::Bundle,
            Task::Elements,
            Task::E2e,
            Task::Native,
        ];
        let next = |running: &[Task], done: &[Task]| next(&tasks, running, done);
        assert_eq!(next(&[], &[]), Some(Task::Programs));
        // It compiles into another folder.
        assert_eq!(next(&[Task::Programs], &[]), Some(Task::Bundle));
        assert_eq!(next(&[Task::Programs, Task::Bundle], &[]), None);
        assert_eq!(
            next(&[Task::Bundle], &[Task::Programs]),
            Some(Task::Elements)
        );
        assert_eq!(
            next(&[Task::Elements, Task::Bundle], &[Task::Programs]),
            None
        );
        let built = [Task::Programs, Task::Elements];
        assert_eq!(next(&[Task::Bundle], &built), Some(Task::Native));
        assert_eq!(next(&[Task::Bundle, Task::Native], &built), None);
        let built = [Task::Programs, Task::Elements, Task::Bundle];
        assert_eq!(next(&[Task::Native], &built), Some(Task::E2e));
    }
}
